import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Zoom, ZoomError, type ZoomTokens } from '../../../../adapters/zoom.ts'
import type { Reader } from '../../../../db/database.ts'
import type { AccountRow, ZoomTokenRow } from '../../../../db/schema.ts'
import { type Selection, selection } from '../../../../db/selection.ts'
import type { CallerContext } from '../../../../http/endpoint.ts'
import { ApiError, badRequest } from '../../../../lib/api-error.ts'
import { ComponentError } from '../../../../lib/component.ts'
import type { Site } from '../../../../lib/site.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { hasZoomToken } from './has_zoom_token.event.ts'
import { zoomLimits } from './limits.ts'

/**
 * Runs an action that needs the user's token at Zoom, with one that stays valid for some time. Throws 400 with
 * INVALID_ZOOM_TOKEN if they have none, or if Zoom no longer accepts it; then it is deleted. Throws 400 with a message
 * if Zoom refuses the action. Throws ComponentError if Zoom fails.
 */
export async function withZoomToken<T>(
  context: CallerContext<'read' | 'commit'>,
  zoom: Zoom,
  use: (access: string) => Promise<T>,
): Promise<T> {
  const row = await freshRow(context, zoom)
  const tokens = await openTokens(context, row)
  return orForgotten(context, row, use(tokens.access))
}

/** Selects whether a user has a token, for POST /register. */
export function hasToken(realm: RealmState, { id }: AccountRow): Selection<boolean> {
  const token = sql`SELECT user_id FROM zoom_token WHERE realm_id = ${realm.id} AND user_id = ${id}`
  return selection(token, (rows) => rows.length > 0)
}

/** Stores the tokens that Zoom has issued for a user in place of earlier ones, and notifies the user. */
export async function keepTokens(change: Change, site: Site, userId: number, tokens: ZoomTokens) {
  const realmId = change.state.id
  await change.run(sql`
    INSERT INTO zoom_token (realm_id, user_id, sealed, expires_at, renewing_until)
    VALUES (${realmId}, ${userId}, ${seal(site, realmId, userId, tokens)}, ${change.now + tokens.seconds}, 0)
    ON CONFLICT (realm_id, user_id) DO UPDATE
    SET sealed = excluded.sealed, expires_at = excluded.expires_at, renewing_until = 0`)
  change.emit(hasZoomToken(true), { users: [userId] })
}

/** Deletes a user's Zoom tokens and pending OAuth requests, and notifies the user if they had tokens. */
export async function forgetZoom(change: Change, userId: number) {
  await change.run(
    sql`DELETE FROM zoom_departure WHERE realm_id = ${change.state.id} AND user_id = ${userId}`,
  )
  const gone = await change.run(
    sql`DELETE FROM zoom_token WHERE realm_id = ${change.state.id} AND user_id = ${userId} RETURNING user_id`,
  )
  if (gone.length > 0) change.emit(hasZoomToken(false), { users: [userId] })
}

/** Returns the row with tokens that do not expire soon. If necessary it renews them, in one request at a time. */
async function freshRow(context: CallerContext<'read' | 'commit'>, zoom: Zoom): Promise<ZoomTokenRow> {
  const { realm, me, read, site } = context
  for (let looks = 0; looks < zoomLimits.zoomTurnLooks; looks++) {
    const row = await rowOf(read, realm, me.id)
    if (!row) throw invalidToken()
    const now = site.clock()
    if (row.expires_at > now + zoomLimits.zoomSpareSeconds) return row
    const renewed = row.renewing_until <= now && (await renew(context, zoom, row))
    if (renewed) return renewed
    await sleep(zoomLimits.zoomTurnPauseMs)
  }
  throw callFailed(new ZoomError('Zoom takes too long.'))
}

/**
 * Zoom accepts each refresh token once, so the renewing request first claims the row, which excludes other nodes.
 * Returns the updated row; undefined if another request holds the claim or the row has changed.
 */
async function renew(
  context: CallerContext<'read' | 'commit'>,
  zoom: Zoom,
  row: ZoomTokenRow,
): Promise<ZoomTokenRow | undefined> {
  const { realm, me, site, commit } = context
  const { refresh } = await openTokens(context, row)
  const turn = await commit((change) =>
    change.run(sql`
      UPDATE zoom_token SET renewing_until = ${change.now + zoomLimits.zoomTurnSeconds}
      WHERE ${isStill(row)} AND renewing_until <= ${change.now} RETURNING user_id`),
  )
  if (turn.length === 0) return undefined
  const next = await orForgotten(context, row, zoom.nextTokens(refresh)).catch(async (error) => {
    await commit((change) => change.run(sql`UPDATE zoom_token SET renewing_until = 0 WHERE ${isStill(row)}`))
    throw error
  })
  const sealed = seal(site, realm.id, me.id, next)
  const rows = await commit((change) =>
    change.run(sql<ZoomTokenRow>`
      UPDATE zoom_token SET sealed = ${sealed}, expires_at = ${change.now + next.seconds}, renewing_until = 0
      WHERE ${isStill(row)} RETURNING *`),
  )
  return rows[0]
}

/** Returns Zoom's response. If Zoom does not accept the row's tokens, deletes them, unless they have been replaced. */
async function orForgotten<T>(
  { commit }: CallerContext<'read' | 'commit'>,
  row: ZoomTokenRow,
  answer: Promise<T>,
): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ZoomError)) throw error
    if (error.problem !== 'token') throw callFailed(error)
    await commit((change) => forgetRow(change, row))
    throw invalidToken()
  }
}

async function forgetRow(change: Change, row: ZoomTokenRow) {
  const gone = await change.run(sql`DELETE FROM zoom_token WHERE ${isStill(row)} RETURNING user_id`)
  if (gone.length > 0) change.emit(hasZoomToken(false), { users: [row.user_id] })
}

function rowOf(at: Reader, realm: RealmState, userId: number): Promise<ZoomTokenRow | undefined> {
  return at
    .selectFrom('zoom_token')
    .where('realm_id', '=', realm.id)
    .where('user_id', '=', userId)
    .selectAll()
    .executeTakeFirst()
}

function isStill({ realm_id, user_id, sealed }: ZoomTokenRow) {
  return sql`realm_id = ${realm_id} AND user_id = ${user_id} AND sealed = ${sealed}`
}

const purpose = 'tokens of Zoom'

function seal({ secrets }: Site, realmId: number, userId: number, { access, refresh }: ZoomTokens): string {
  return secrets.seal(purpose, [realmId, userId], JSON.stringify({ access, refresh }))
}

/** Returns the tokens of a row. Tokens sealed with another secret cannot be used. */
async function openTokens(
  { site, commit }: CallerContext<'read' | 'commit'>,
  row: ZoomTokenRow,
): Promise<Pick<ZoomTokens, 'access' | 'refresh'>> {
  const text = site.secrets.open(purpose, [row.realm_id, row.user_id], row.sealed)
  if (text !== undefined) return JSON.parse(text)
  await commit((change) => forgetRow(change, row))
  throw invalidToken()
}

function invalidToken() {
  return new ApiError('Invalid Zoom access token', 'INVALID_ZOOM_TOKEN')
}

function callFailed(error: ZoomError) {
  const message = `Failed to create Zoom call. ${error.message}`
  return error.problem === 'Zoom' ? new ComponentError('Zoom', message, error.cause) : badRequest(message)
}
