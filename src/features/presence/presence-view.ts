import type { AccountRow, RealmRow } from '../../db/schema.ts'
import { Part, type Piece, sharedPiece } from '../../lib/gzip-parts.ts'
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
type PresenceFormat = { slim: boolean; since?: number | undefined; days?: number | undefined }

type Presences = { pieces: Piece[]; lastUpdateId: number }

/**
 * `presences` as JSON, of the active people whom the viewer may know of, and the number up to which it is complete. What
 * the log does not tell yet has no number, and comes with the next report: but whoever asks for everything gets people
 * who were never seen before.
 */
export function presences(
  realm: RealmState,
  site: Site,
  viewer: AccountRow,
  { slim, since = -1, days = limits.presenceHistoryDays }: PresenceFormat,
): Presences {
  const listing: Listing = { realm, site, viewer, slim, from: site.clock() - days * 86_400 }
  const isShared = canAccessAll(realm, viewer)
  const pieces: Piece[] = []
  let lastUpdateId = since
  const add = (piece: Piece) => pieces.push(pieces.length === 0 ? '{' : comma, piece)
  for (const batch of realm.presence.since(since)) {
    const piece = isShared ? sharedText(listing, batch) : textOf(listing, batch.seen.values())
    if (piece === '') continue
    lastUpdateId = Math.max(lastUpdateId, batch.id)
    add(piece)
  }
  const newcomers = since < 0 ? textOf(listing, realm.presence.newcomers()) : ''
  if (newcomers !== '') add(newcomers)
  return { pieces: pieces.length === 0 ? ['{}'] : [...pieces, '}'], lastUpdateId }
}

/** As a part: there are many in every answer. */
const comma = new Part(',')

/** For whom presences are listed, how, and since when (UNIX seconds). */
type Listing = { realm: RealmState; site: Site; viewer: AccountRow; slim: boolean; from: number }

/** How a batch looks to everybody who may know all, by form and age; made from so many of its people, and these users. */
type Shared = { count: number; users: number; realmRow: RealmRow; texts: Map<string, Piece> }

const sharedOf = new WeakMap<Batch, Shared>()

/** In a large organization, everybody asks for the same again and again. */
function sharedText(listing: Listing, batch: Batch): Piece {
  const { realm, slim, from } = listing
  const { version: users } = realm.users
  const { size: count } = batch.seen
  let shared = sharedOf.get(batch)
  if (shared?.users !== users || shared.count !== count || shared.realmRow !== realm.realm) {
    shared = { count, users, realmRow: realm.realm, texts: new Map() }
    sharedOf.set(batch, shared)
  }
  // To the hour, if it matters at all.
  const since = batch.oldest >= from ? 0 : Math.floor(from / 3600) * 3600
  const key = `${slim} ${since}`
  let piece = shared.texts.get(key)
  if (piece === undefined) {
    piece = sharedPiece(textOf({ ...listing, from: since }, batch.seen.values()), partFrom)
    if (shared.texts.size === limits.presenceForms) shared.texts.clear()
    shared.texts.set(key, piece)
  }
  return piece
}

/** There are many batches, and all are in every answer: even a short text is compressed only once. */
const partFrom = 512

function textOf({ realm, site, viewer, slim, from }: Listing, seen: Iterable<Seen>): string {
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
  const whenActive = active === null ? '' : `"active_timestamp":${active},`
  return `"${userId}":{${whenActive}"idle_timestamp":${connected}}`
}

function legacyText(email: string, seen: Seen) {
  const website = legacyPresence(seen)
  const { pushable: _, ...aggregated } = website
  return `${JSON.stringify(email)}:${JSON.stringify({ aggregated, website })}`
}
