import type { AccountRow } from '../../db/schema.ts'
import { type Piece, sharedPiece } from '../../lib/gzip-parts.ts'
import { limits } from '../../lib/limits.ts'
import type { Site } from '../../lib/site.ts'
import type { Batch, Seen } from '../../log/presence.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { canAccess, canAccessAll } from '../users/known-users.ts'
import { apiEmail } from '../users/user-view.ts'

export type LegacyPresence = {
  client: string
  status: 'active' | 'idle'
  timestamp: number
  pushable: boolean
}

/** Older clients know how somebody was last seen, and when. */
export function legacyPresence({ active, connected }: Seen): LegacyPresence {
  // Being at work is reported less often than being connected.
  const isActive = active !== null && active + legacySlack >= connected
  return {
    client: 'website',
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? active : connected,
    pushable: false,
  }
}

const legacySlack = 70

/** Which presence a client asks for: in which form, what is newer than a log number, of how many days. */
export type PresenceFormat = { slim: boolean; since?: number | undefined; days?: number | undefined }

export type Presences = { pieces: Piece[]; lastUpdateId: number }

/** `presences` as JSON, of the active people whom the viewer may know of, and the number up to which it is complete. */
export function presences(
  realm: RealmState,
  site: Site,
  viewer: AccountRow,
  { slim, since = -1, days = limits.presenceHistoryDays }: PresenceFormat,
): Presences {
  const from = site.clock() - days * 86_400
  const pieces: Piece[] = ['{']
  let lastUpdateId = since
  for (const batch of realm.presence.since(since)) {
    const comma = pieces.length > 1 ? ',' : ''
    const piece =
      slim && canAccessAll(realm, viewer) && batch.oldest >= from
        ? sharedSlim(realm, batch, comma)
        : withComma(comma, textOf(realm, site, viewer, batch.seen.values(), slim, from))
    if (piece === '') continue
    lastUpdateId = Math.max(lastUpdateId, batch.id)
    pieces.push(piece)
  }
  // What the log does not tell yet has no number: only whoever asks for everything gets it.
  const pending = since < 0 ? realm.presence.pending.values() : []
  const fresh = textOf(realm, site, viewer, pending, slim, from)
  pieces.push(`${withComma(pieces.length > 1 ? ',' : '', fresh)}}`)
  return { pieces, lastUpdateId }
}

function withComma(comma: string, text: string) {
  return text === '' ? '' : comma + text
}

/** What a batch looks like, as the first one of an answer and behind others. */
type Shared = { users: number; count: number; pieces: Map<string, Piece> }

const sharedOf = new WeakMap<Batch, Shared>()

// In a large organization, everybody asks for the same again and again. The comma is part of it: by itself, it would
// be compressed anew for each answer.
function sharedSlim(realm: RealmState, batch: Batch, comma: string): Piece {
  const { version: users } = realm.users
  let shared = sharedOf.get(batch)
  // People only ever leave a batch.
  if (shared?.users !== users || shared.count !== batch.seen.size) {
    shared = { users, count: batch.seen.size, pieces: new Map() }
    sharedOf.set(batch, shared)
  }
  let piece = shared.pieces.get(comma)
  if (piece === undefined) {
    const seen = [...batch.seen.values()].filter((one) => isPerson(realm.users.get(one.userId)))
    piece = sharedPiece(withComma(comma, seen.map(slimText).join()))
    shared.pieces.set(comma, piece)
  }
  return piece
}

function textOf(
  realm: RealmState,
  site: Site,
  viewer: AccountRow,
  seen: Iterable<Seen>,
  slim: boolean,
  from: number,
): string {
  const texts: string[] = []
  for (const one of seen) {
    const user = realm.users.get(one.userId)
    if (!isPerson(user) || one.connected < from || !canAccess(realm, viewer, user)) continue
    texts.push(slim ? slimText(one) : legacyText(apiEmail(realm, site, user), one))
  }
  return texts.join()
}

function isPerson(user: AccountRow | undefined): user is AccountRow {
  return user?.is_active === true && user.bot_type === null
}

function slimText({ userId, active, connected }: Seen) {
  const times = { ...(active !== null && { active_timestamp: active }), idle_timestamp: connected }
  return `"${userId}":${JSON.stringify(times)}`
}

function legacyText(email: string, seen: Seen) {
  const website = legacyPresence(seen)
  const { pushable: _, ...aggregated } = website
  return `${JSON.stringify(email)}:${JSON.stringify({ aggregated, website })}`
}
