import type { AccountRow, RealmRow } from '../../../../db/schema.ts'
import { type Chunk, joinedChunk, sharedIfLong } from '../../../../lib/gzip/gzip-chunks.ts'
import { firstIn } from '../../../../lib/must.ts'
import type { Site } from '../../../../lib/site.ts'
import type { Batch, Seen } from '../../../../log/presence.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { apiEmail } from '../../../kernel/users/user-view.ts'
import { canSeeAllUsers, canSeeUser } from '../../../kernel/users/user-visibility.ts'
import { presenceLimits } from './limits.ts'
import { slimPresence } from './presence.apply.ts'

export type LegacyPresence = {
  client: string
  status: 'active' | 'idle'
  timestamp: number
  pushable: boolean
}

/** Returns a presence in the form of older clients: a status and a timestamp. */
export function legacyPresence({ active, connected }: Seen): LegacyPresence {
  // Clients report activity less often than connection.
  const isActive = active !== null && active + legacySlack >= connected
  return {
    client: 'website',
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? active : connected,
    pushable: false,
  }
}

const legacySlack = 70

/**
 * The presences that a client asks for: their form, the log number after which they are new, and the number of days.
 */
type PresenceFormat = { slim: boolean; since?: number | undefined; days?: number | undefined }

type Presences = { chunks: Chunk[]; lastUpdateId: number }

/**
 * Returns `presences` as JSON, for the active users whom the viewer may see, and the log number up to which the list is
 * complete. Presences that are not in the log yet have no number and come with the next report. A client that asks for
 * everything also receives those of users who were never seen before.
 */
export function presences(
  realm: RealmState,
  site: Site,
  viewer: AccountRow,
  { slim, since = -1, days = presenceLimits.presenceHistoryDays }: PresenceFormat,
): Presences {
  const listing: Listing = { realm, site, viewer, slim, from: site.clock() - days * 86_400 }
  const batches = realm.presence.since(since)
  const { chunks, lastId } = canSeeAllUsers(realm, viewer)
    ? sharedPresencePart(listing, batches)
    : presencePart(batches, ({ seen }) => textOf(listing, seen.values()))
  const newcomers = since < 0 ? textOf(listing, realm.presence.newcomers()) : ''
  const all = newcomers === '' ? chunks : [...chunks, newcomers]
  return { chunks: ['{', ...separated(all), '}'], lastUpdateId: Math.max(since, lastId) }
}

/** The viewer, the form, and the oldest time (UNIX seconds) of a list of presences. */
type Listing = { realm: RealmState; site: Site; viewer: AccountRow; slim: boolean; from: number }

/** The contents of some batches, without commas between them, and the number of the last batch that has one. */
type PresencePart = { chunks: Chunk[]; lastId: number }

function presencePart(batches: Batch[], tell: (batch: Batch) => Chunk): PresencePart {
  const texts = batches.map((batch) => ({ id: batch.id, chunk: tell(batch) }))
  const some = texts.filter(({ chunk }) => chunk !== '')
  return { chunks: some.map(({ chunk }) => chunk), lastId: some.at(-1)?.id ?? -1 }
}

function separated(chunks: Chunk[]): Chunk[] {
  return chunks.flatMap((chunk, i) => (i === 0 ? [chunk] : [',', chunk]))
}

/**
 * Returns a list that is shared by all viewers who may see every user. In a large organization all clients repeat the
 * same request, so each batch, and each run from one batch up to the newest, is built only once.
 */
function sharedPresencePart(listing: Listing, batches: Batch[]): PresencePart {
  const newest = batches.at(-1)
  if (!newest) return { chunks: [], lastId: -1 }
  // Rounded to the hour: entries of this age need not be more exact.
  const hourly = { ...listing, from: Math.floor(listing.from / 3600) * 3600 }
  return remembered(tails, hourly, newest, `${formOf(hourly)} ${firstIn(batches).id}`, () => {
    const { chunks, lastId } = presencePart(batches, (batch) => sharedText(hourly, batch))
    return { chunks: chunks.length === 0 ? [] : [joinedChunk(separated(chunks))], lastId }
  })
}

function sharedText(listing: Listing, batch: Batch): Chunk {
  const asked = batch.oldest < listing.from ? listing : { ...listing, from: 0 }
  return remembered(texts, asked, batch, formOf(asked), () =>
    sharedIfLong(textOf(asked, batch.seen.values()), ownChunkFrom),
  )
}

function formOf({ slim, from }: Listing) {
  return `${slim} ${from}`
}

/**
 * There are many batches, and every response contains all of them, so even a short text is worth compressing only once.
 */
const ownChunkFrom = 512

/**
 * The shared result of a batch, by form. It is valid for this number of entries, this version of the users and this
 * organization row.
 */
type Made<T> = { count: number; users: number; organization: RealmRow; byForm: Map<string, T> }

const texts = new WeakMap<Batch, Made<Chunk>>()
/**
 * Results from a batch up to the newest one, by the newest batch. The next log entry makes another batch the newest.
 */
const tails = new WeakMap<Batch, Made<PresencePart>>()

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
  if (made?.users !== users || made.count !== count || made.organization !== realm.row) {
    made = { count, users, organization: realm.row, byForm: new Map() }
    of.set(batch, made)
  }
  let value = made.byForm.get(form)
  if (value === undefined) {
    value = make()
    if (made.byForm.size === presenceLimits.presenceForms) made.byForm.clear()
    made.byForm.set(form, value)
  }
  return value
}

function textOf({ realm, site, viewer, slim, from }: Listing, seen: Iterable<Seen>): string {
  const texts: string[] = []
  for (const one of seen) {
    const user = realm.users.get(one.userId)
    if (!isPerson(user) || one.connected < from || !canSeeUser(realm, viewer, user)) continue
    texts.push(slim ? slimText(one, user) : legacyText(apiEmail(realm, site, user), one))
  }
  return texts.join()
}

function isPerson(user: AccountRow | undefined): user is AccountRow {
  return user?.is_active === true && user.bot_type === null
}

function slimText({ userId, active, connected }: Seen, { created_at }: AccountRow) {
  const times = slimPresence(active, connected, created_at)
  return `"${userId}":${JSON.stringify(times)}`
}

function legacyText(email: string, seen: Seen) {
  const website = legacyPresence(seen)
  const { pushable: _, ...aggregated } = website
  return `${JSON.stringify(email)}:${JSON.stringify({ aggregated, website })}`
}
