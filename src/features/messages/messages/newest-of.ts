import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { MessagePlace } from '../../../log/message-place.ts'
import type { Run } from '../../../log/newest-messages.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isInIntervals } from '../../../queues/audience.ts'
import { isSpectator } from '../../kernel/channels/web-public.ts'
import type { MessageBody } from '../../kernel/messages/message.event.ts'
import { MessageSegments } from '../../kernel/messages/message-segments.ts'
import { intervalsOf, type PageContent, type PageMessage } from '../../kernel/messages/page-rows.ts'
import type { MessageWindow } from '../../kernel/messages/queries.ts'
import { newest } from '../kernel/messages/anchor.ts'

type Reading = { realm: RealmState; me: AccountRow; read: Reader }

/**
 * Returns a page of messages of one place, as `fromDatabase` does. If the page is among the newest, and they are in
 * memory, only the reader's relation to them is read. It is the state of the database at the moment of that query:
 * if the log has entries that this node has not folded in, or messages of the place come meanwhile, all is read.
 */
export async function newestOf(
  { realm, me, read }: Reading,
  place: MessagePlace,
  content: PageContent,
  page: MessageWindow,
  fromDatabase: () => Promise<PageMessage[]>,
): Promise<PageMessage[]> {
  if (isSpectator(me)) return fromDatabase()
  const key = [place.recipient, content, ...(place.topic === undefined ? [] : [place.topic])].join(' ')
  const run = realm.newest.get<PageMessage>(key)
  const shared = run && partOf(run, page)
  if (run && shared) {
    const { messages } = run
    const before = { position: realm.position, stamp: realm.stamp, epoch: realm.epoch }
    const own = await relationTo(read, realm, me, place.recipient, shared)
    const isTrue = isAt(own, before) || isAt(own, realm)
    if (isTrue && realm.newest.get(key) === run && run.messages === messages) {
      realm.newest.countPage()
      return related(shared, own)
    }
  }
  const watch = realm.newest.watch(place.recipient)
  try {
    const messages = await fromDatabase()
    if (isToTheEnd(messages, page)) {
      const older = messages.filter(({ id }) => id <= page.anchor)
      const isWhole = older.length < page.before || page.anchor <= 0
      const { topic } = place
      const kept = realm.newest.put(key, watch, { topic, messages, isWhole }, formOf(content))
      for (const message of kept?.messages ?? []) message.segments ??= new MessageSegments(kept!)
    }
    return messages
  } finally {
    realm.newest.forget(watch)
  }
}

/** Whether a page ends with the newest message. */
function isToTheEnd(messages: PageMessage[], { anchor, after }: MessageWindow) {
  return anchor >= newest || messages.filter(({ id }) => id > anchor).length < after
}

/** Returns the messages of a page; undefined if older ones than those in memory may be among them. */
function partOf(
  { messages, isWhole }: Run<PageMessage>,
  { anchor, before, after }: MessageWindow,
): readonly PageMessage[] | undefined {
  const beyond = messages.findIndex(({ id }) => id > anchor)
  const upTo = beyond < 0 ? messages.length : beyond
  if (upTo < before && !isWhole) return undefined
  return messages.slice(Math.max(0, upTo - before), upTo + after)
}

/** Identifies a position of the log. */
type LogPosition = { position: number; stamp: number; epoch: string }

function isAt(one: LogPosition, other: LogPosition) {
  return one.position === other.position && one.stamp === other.stamp && one.epoch === other.epoch
}

/** A reader's relation to messages, at this position of the log. */
type Relation = LogPosition & {
  /** As PostgreSQL writes multiranges; null if the reader has read nothing there. */
  read: string | null
  flags: [messageId: number, flag: string][] | null
}

async function relationTo(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  recipient: number,
  messages: readonly PageMessage[],
): Promise<Relation> {
  const [first, last] = [messages[0]?.id ?? 0, messages.at(-1)?.id ?? 0]
  // As text: pg examines and quotes each item of an array.
  const ids = `{${messages.map(({ id }) => id).join()}}`
  const [found] = await read.prepared<Relation>(
    'relation',
    sql`
    SELECT last_event_id AS position, stamp, epoch,
      (SELECT read * int8multirange(int8range(${first}, ${last}, '[]')) FROM read_state
        WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND recipient_id = ${recipient})::text AS read,
      (SELECT json_agg(json_build_array(message_id, flag) ORDER BY flag) FROM message_flag
        WHERE realm_id = ${realm.id} AND user_id = ${me.id} AND message_id = ANY(${ids}::bigint[])) AS flags
    FROM realm_head WHERE realm_id = ${realm.id}`,
  )
  if (!found) throw new Error(`realm ${realm.id} does not exist`)
  return found
}

function related(messages: readonly PageMessage[], { read, flags }: Relation): PageMessage[] {
  const intervals = intervalsOf(read ?? '')
  const own = new Map<number, string[]>()
  for (const [id, flag] of flags ?? []) own.set(id, [...(own.get(id) ?? []), flag])
  return messages.map((message) =>
    withRelation(message, isInIntervals(intervals, message.id), own.get(message.id)),
  )
}

/** Field by field: spreading an object costs as much as everything else here. */
function withRelation(message: PageMessage, in_read: boolean, own_flags: string[] = []): PageMessage {
  return {
    id: message.id,
    recipient_id: message.recipient_id,
    sender_id: message.sender_id,
    sent_at: message.sent_at,
    is_me_message: message.is_me_message,
    mentions_channel: message.mentions_channel,
    read_by_sender: message.read_by_sender,
    in_read,
    topic: message.topic,
    client: message.client,
    contentJson: message.contentJson,
    edit_history: message.edit_history,
    last_edited_at: message.last_edited_at,
    last_moved_at: message.last_moved_at,
    topic_mentioned: message.topic_mentioned,
    own_flags,
    reactions: message.reactions,
    submessages: message.submessages,
    segments: message.segments,
  }
}

/** How messages that are sent join those in memory. */
function formOf(content: PageContent) {
  return {
    sizeOf,
    take: (body: unknown, run: Run) => asSent((body as MessageBody).message, content, run),
  }
}

function asSent(message: MessageBody['message'], content: PageContent, run: Run): PageMessage {
  const { submessages = null, reactions = null } = message
  const contentJson = JSON.stringify(message[content])
  const segments = new MessageSegments(run)
  const shared = { ...message, submessages, reactions, contentJson, segments, in_read: false, own_flags: [] }
  return withRelation(shared, false)
}

/** Objects have some 25 fields, whatever is in them; texts have up to two bytes a character. */
function sizeOf({ contentJson, topic, edit_history, reactions, submessages, segments }: PageMessage): number {
  const rare = [edit_history, reactions, submessages].filter((part) => part !== null)
  const texts = rare.reduce(
    (sum, part) => sum + JSON.stringify(part).length,
    contentJson.length + topic.length,
  )
  return 600 + 2 * texts + (segments?.size ?? 0)
}
