import type { AccountRow, RealmRow } from '../../../../db/schema.ts'
import { type Chunk, joinedPart, sharedPiece } from '../../../../lib/gzip-parts.ts'
import { limits } from '../../../../lib/limits.ts'
import type { Site } from '../../../../lib/site.ts'
import type { Batch, Seen } from '../../../../log/presence.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { apiEmail } from '../../../kernel/users/user-view.ts'
import { canSeeAllUsers, canSeeUser } from '../../../kernel/users/user-visibility.ts'

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

type Presences = { pieces: Chunk[]; lastUpdateId: number }

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
  const batches = realm.presence.since(since)
  const { pieces, lastId } = canSeeAllUsers(realm, viewer)
    ? toldToAll(listing, batches)
    : told(batches, ({ seen }) => textOf(listing, seen.values()))
  const newcomers = since < 0 ? textOf(listing, realm.presence.newcomers()) : ''
  const all = newcomers === '' ? pieces : separated([...pieces, newcomers])
  return { pieces: ['{', ...all, '}'], lastUpdateId: Math.max(since, lastId) }
}

/** For whom presences are listed, how, and since when (UNIX seconds). */
type Listing = { realm: RealmState; site: Site; viewer: AccountRow; slim: boolean; from: number }

/** What batches tell, and the number of the last one that tells something. */
type Told = { pieces: Chunk[]; lastId: number }

function told(batches: Batch[], tell: (batch: Batch) => Chunk): Told {
  const texts = batches.map((batch) => ({ id: batch.id, piece: tell(batch) }))
  const some = texts.filter(({ piece }) => piece !== '')
  return { pieces: separated(some.map(({ piece }) => piece)), lastId: some.at(-1)?.id ?? -1 }
}

function separated(pieces: Chunk[]): Chunk[] {
  return pieces.flatMap((piece, i) => (i === 0 ? [piece] : [',', piece]))
}

/**
 * In a large organization, everybody asks for the same again and again: each batch, and all from one up to the newest,
 * are put together once for everybody who may know all.
 */
function toldToAll(listing: Listing, batches: Batch[]): Told {
  const newest = batches.at(-1)
  if (!newest) return { pieces: [], lastId: -1 }
  // To the hour: what is this old need not be more exact.
  const hourly = { ...listing, from: Math.floor(listing.from / 3600) * 3600 }
  return remembered(tails, hourly, newest, `${formOf(hourly)} ${batches[0]!.id}`, () => {
    const { pieces, lastId } = told(batches, (batch) => sharedText(hourly, batch))
    return { pieces: pieces.length === 0 ? [] : [joinedPart(pieces)], lastId }
  })
}

function sharedText(listing: Listing, batch: Batch): Chunk {
  const asked = batch.oldest < listing.from ? listing : { ...listing, from: 0 }
  return remembered(texts, asked, batch, formOf(asked), () =>
    sharedPiece(textOf(asked, batch.seen.values()), partFrom),
  )
}

function formOf({ slim, from }: Listing) {
  return `${slim} ${from}`
}

/** There are many batches, and all are in every answer: even a short text is compressed only once. */
const partFrom = 512

/** What was made of a batch for all, by form, when so many people were in it, and with these users. */
type Made<T> = { count: number; users: number; realmRow: RealmRow; byForm: Map<string, T> }

const texts = new WeakMap<Batch, Made<Chunk>>()
/** From a batch up to the newest, by which they are kept: whatever the log tells next makes another one the newest. */
const tails = new WeakMap<Batch, Made<Told>>()

function remembered<T>(
  of: WeakMap<Batch, Made<T>>,
  { realm }: Listing,
  batch: Batch,
  form: string,
  make: () => T,
): T {
  const { version: users } = realm.users
  const { size: count } = batch.seen
  let made = of.get(batch)
  if (made?.users !== users || made.count !== count || made.realmRow !== realm.realm) {
    made = { count, users, realmRow: realm.realm, byForm: new Map() }
    of.set(batch, made)
  }
  let value = made.byForm.get(form)
  if (value === undefined) {
    value = make()
    if (made.byForm.size === limits.presenceForms) made.byForm.clear()
    made.byForm.set(form, value)
  }
  return value
}

function textOf({ realm, site, viewer, slim, from }: Listing, seen: Iterable<Seen>): string {
  const texts: string[] = []
  for (const one of seen) {
    const user = realm.users.get(one.userId)
    if (!isPerson(user) || one.connected < from || !canSeeUser(realm, viewer, user)) continue
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
