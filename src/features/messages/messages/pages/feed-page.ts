import { sql } from 'kysely'
import type { AccountRow } from '../../../../db/schema.ts'
import type { Interval } from '../../../../db/values.ts'
import type { CallerContext } from '../../../../http/endpoint.ts'
import { firstIn } from '../../../../lib/must.ts'
import { logLimits } from '../../../../log/limits.ts'
import { logMoment } from '../../../../log/log-moment.ts'
import type { Feed, FeedSlot } from '../../../../log/memory/feed.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isInIntervals } from '../../../../queues/audience.ts'
import { hasContentAccess } from '../../../kernel/channels/access.ts'
import { isSpectator } from '../../../kernel/channels/web-public.ts'
import { MessageSegments } from '../../../kernel/messages/message-segments.ts'
import { type MessageWindow, messagesById } from '../../../kernel/messages/page-queries.ts'
import { type PageMessage, PageTooLong } from '../../../kernel/messages/page-rows.ts'
import { messagingLimits } from '../../kernel/messages/limits.ts'
import { responseBytesOfAll } from '../../kernel/messages/text-lengths.ts'
import {
  type FoundPlaces,
  lookUpTouched,
  placedIn,
  touchedInMemory,
} from '../../kernel/messages/touched-messages.ts'
import { sentMessage, sizeInMemory } from './messages-in-memory.ts'
import { asCallerSees, lookUpRelations } from './reader-relations.ts'

type Reading = CallerContext<'read' | 'catchUp'>
type Slot = FeedSlot<PageMessage>

const content = 'rendered_content'

/**
 * Returns a page of all messages that the caller received or touched, as `fromDatabase` does. It is chosen from the feed in memory. Messages
 * that are not in memory yet are read by their ids.
 */
export async function feedPage(
  context: Reading,
  page: MessageWindow,
  fromDatabase: () => Promise<PageMessage[]>,
): Promise<PageMessage[]> {
  const { realm, me } = context
  if (isSpectator(me)) return fromDatabase()
  if (!realm.feed.get()) await lookUpFeed(context)
  if (!realm.relations.touched(me.id)) await lookUpTouched(context)
  const found = slotsOf(realm, me, page)
  if (!found) return fromDatabase()
  const { position, feed } = realm
  const { version } = feed
  if (!(await readMissing(context, found))) return fromDatabase()
  await lookUpRelations(context, found)
  if (!(await context.catchUp())) return fromDatabase()
  // Choosing the page is most of the work, so it is chosen again only if there is news.
  const hasNews = realm.position !== position || feed.version !== version
  const slots = hasNews ? slotsOf(realm, me, page) : found
  const messages = slots && messagesIn(slots)
  const related = messages && asCallerSees(realm, me, messages)
  if (!related) return fromDatabase()
  feed.countPage()
  return related
}

/** Returns the messages of the slots; undefined if one of them is not in memory. */
function messagesIn(slots: readonly Slot[]): PageMessage[] | undefined {
  const messages: PageMessage[] = []
  for (const { message } of slots) {
    if (!message) return undefined
    messages.push(message)
  }
  return messages
}

/** Reads the ids and conversations of the newest messages into the feed. */
async function lookUpFeed({ realm, read }: Reading) {
  const rows = await read.prepared<FoundPlaces>(
    'feed',
    sql`
    SELECT ${logMoment(realm.id)}, (
      SELECT json_agg(json_build_array(id, recipient_id) ORDER BY id) FROM (
        SELECT id, recipient_id FROM message WHERE realm_id = ${realm.id}
        ORDER BY id DESC LIMIT ${logLimits.newestOfOrganization}) AS newest) AS messages`,
  )
  const found = firstIn(rows)
  if (!realm.mayKeep(found)) return
  realm.feed.keep<PageMessage>(placedIn(found), {
    sizeOf: sizeInMemory,
    take: (body: unknown, feed: Feed) => sentMessage(body, content, feed),
  })
}

/** Returns the slots of a page; undefined if the page may have messages that are older than the feed. */
function slotsOf(
  realm: RealmState,
  me: AccountRow,
  { anchor, before, after }: MessageWindow,
): Slot[] | undefined {
  const slots = realm.feed.get<PageMessage>()
  const others = touchedInMemory(realm, me)
  if (!slots || !others) return undefined
  const touched = new Set(others)
  const received = receivedBy(realm, me)
  const isMine = (slot: Slot) => received(slot) || (touched.size > 0 && touched.has(slot.id))
  const older: Slot[] = []
  const newer: Slot[] = []
  for (let i = slots.length - 1; i >= 0 && older.length < before; i--) {
    const slot = slots[i]!
    if (isMine(slot)) (slot.id <= anchor ? older : newer).push(slot)
  }
  if (older.length < before && !realm.feed.isWhole) return undefined
  return [...older.reverse(), ...newer.reverse().slice(0, after)]
}

/** Which messages of a conversation a reader received: all, or those in certain intervals; 0 stands for none. */
const [everything, inIntervals] = [1, 2] as const

/** Returns the test whether a reader received a message: as visibleReceived, but fast enough for thousands of slots. */
function receivedBy(realm: RealmState, me: AccountRow): (slot: Slot) => boolean {
  const { feed } = realm
  const received = new Uint8Array(feed.numberCount)
  const intervals = new Map<number, Interval[]>()
  const note = (recipient: number, what: number) => {
    const number = feed.numberOf(recipient)
    if (number !== undefined) received[number] = what
  }
  for (const { channel_id, received } of realm.subscriptionsOfUser(me.id)) {
    const channel = realm.channels.require(channel_id)
    if (!hasContentAccess(realm, me, channel)) continue
    intervals.set(channel.recipient_id, received)
    note(channel.recipient_id, inIntervals)
  }
  for (const { id } of realm.conversationsOfUser(me.id)) note(id, everything)
  return ({ id, recipient_id, conversation }) => {
    const what = received[conversation]
    return what === inIntervals ? isInIntervals(intervals.get(recipient_id)!, id) : what === everything
  }
}

/** Reads the messages that are not in memory into their slots. Returns false if they have more text than one page has room for. */
async function readMissing(context: Reading, slots: readonly Slot[]): Promise<boolean> {
  const { realm, read } = context
  const missing = slots.filter(({ message }) => !message).map(({ id }) => id)
  if (missing.length === 0) return true
  const { version } = realm.feed
  const { messagesOfAnyLength, pageMib } = messagingLimits
  if (missing.length > messagesOfAnyLength) {
    if ((await responseBytesOfAll(read, realm, content, missing)) > pageMib * 2 ** 20) return false
  }
  try {
    const messages = await messagesById(context, content, sql`true`, missing)
    for (const message of messages) message.segments = new MessageSegments(realm.feed)
    realm.feed.fill(messages, version)
    return true
  } catch (error) {
    if (error instanceof PageTooLong) return false
    throw error
  }
}
