import type { AccountRow, RealmRow } from '../../../../db/schema.ts'
import { memoizePer } from '../../../../lib/collections/memoize-per.ts'
import type { Chunk, SharedChunk } from '../../../../lib/gzip/gzip-chunks.ts'
import type { Site } from '../../../../lib/site.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { isSpectator } from '../../../kernel/channels/web-public.ts'
import { messageLimits } from '../../../kernel/messages/limits.ts'
import { lengthOf, type MessageSegment, newSegment } from '../../../kernel/messages/message-segments.ts'
import {
  contentType,
  conversationView,
  detailsView,
  isOneOnOne,
  type MessageFormat,
  senderView,
  topicFields,
} from '../../../kernel/messages/message-view.ts'
import type { PageMessage } from '../../../kernel/messages/page-rows.ts'
import { flagsFor } from '../../../kernel/messages/reader-flags.ts'
import { canSeeAllUsers, canSeeUser } from '../../../kernel/users/user-visibility.ts'
import { sharedPages } from './shared-pages.ts'

/** The user for whom the JSON of messages is made, with their organization and site. */
type Viewer = { realm: RealmState; site: Site; me: AccountRow }

/**
 * Returns the message objects of the wire, with the reader's flags, as the inside of a JSON array. `more`: further
 * fields of each object. Parts that messages share (sender, conversation, topic …) are serialized once. For events,
 * which many readers share, messageView returns the same objects.
 */
export function messagesJson(
  viewer: Viewer,
  format: MessageFormat,
  messages: PageMessage[],
  more?: object[],
): string {
  const textsOf = sharedTexts(viewer, format)
  const flagsOf = flagsFor(viewer.realm, viewer.me)
  const flagList = once((flags: string[]) => flags)
  // Appending to one string is cheaper than joining many.
  let objects = ''
  for (const [i, message] of messages.entries()) {
    const flags = flagsOf(message)
    if (i > 0) objects += ','
    objects += `${headOf(message, textsOf(message))}${flagList(flags.join(), flags)}]${more ? `,${fieldsOf(more[i]!)}` : ''}}`
  }
  return objects
}

/**
 * Returns the same text as messagesJson. If messages are in memory, it is made of bytes that are kept with them: making, encoding and
 * compressing the text again would be most of the work of a response.
 */
export function pageJson(viewer: Viewer, format: MessageFormat, messages: PageMessage[]): Chunk {
  const { realm, me } = viewer
  // All else on which the texts depend are rows. Readers who may not see all users get some messages in another form.
  const isUsual = !isSpectator(me) && canSeeAllUsers(realm, me)
  if (!isUsual || !messages.some(({ segments }) => segments)) {
    return messagesJson(viewer, format, messages)
  }
  const kind = `${me.role} ${format.clientGravatar} ${format.emptyTopicName}`
  const textsOf = sharedTexts(viewer, format)
  const flagsOf = flagsFor(realm, me)
  const tails = new Map<string, Buffer>()
  const parts: Buffer[] = []
  const segments: (MessageSegment | undefined)[] = []
  const flags: string[] = []
  for (const message of messages) {
    const ofMessage = flagsOf(message)
    const key = ofMessage.join()
    const tail = tails.get(key) ?? Buffer.from(`${fieldsOf(ofMessage)}]},`)
    tails.set(key, tail)
    const isOwn = message.sender_id === me.id || isOneOnOne(realm, message)
    const segment = isOwn ? sameSegment(kind, message, textsOf) : segmentFor(kind, realm, message, textsOf)
    parts.push(segment?.bytes ?? Buffer.from(headOf(message, textsOf(message))), tail)
    segments.push(segment)
    flags.push(key)
  }
  // Without the last comma.
  const bytes = Buffer.concat(parts).subarray(0, -1)
  return { size: bytes.length, bytes, shared: () => sharedPage(realm, segments, flags, bytes) }
}

/** Returns a page as a shared chunk, which may be compressed already; undefined if it is for one reader alone, or is asked for the first time. */
function sharedPage(
  realm: RealmState,
  segments: (MessageSegment | undefined)[],
  flags: string[],
  bytes: Buffer,
): SharedChunk | undefined {
  if (!segments.every((segment) => segment)) return undefined
  const key = `${segments.map((segment) => segment?.number).join()} ${flags.join(';')}`
  return sharedPages(realm).get(key)?.chunk(bytes)
}

type TextsOf = (message: PageMessage) => string[]

/**
 * Returns the segment with the head of a message in memory; undefined if it is too long to be kept. If rows have changed since it was made, it
 * is still valid if its texts are the same.
 */
function segmentFor(
  kind: string,
  { changedAt }: RealmState,
  message: PageMessage,
  textsOf: TextsOf,
): MessageSegment | undefined {
  const { id, segments } = message
  const known = segments?.get(kind)
  if (!segments || known?.changedAt === changedAt) return known
  const texts = textsOf(message)
  if (known && isMadeOf(known, texts)) {
    known.changedAt = changedAt
    return known
  }
  if (lengthOf(texts) > messageLimits.textsInMemory) return undefined
  const segment = newSegment(changedAt, texts, Buffer.from(headOf(message, texts)))
  segments.put(id, kind, segment)
  return segment
}

/**
 * Returns the segment that other readers get, if it has the same texts for this viewer, who has sent the message or is in a
 * conversation of two.
 */
function sameSegment(kind: string, message: PageMessage, textsOf: TextsOf): MessageSegment | undefined {
  const known = message.segments?.get(kind)
  return known && isMadeOf(known, textsOf(message)) ? known : undefined
}

function isMadeOf(segment: MessageSegment, texts: readonly string[]) {
  return segment.texts.every((text, i) => text === texts[i])
}

/** Returns an object of the wire, up to its flags. */
function headOf({ id, sent_at, contentJson }: PageMessage, texts: string[]): string {
  return `{"id":${id},"timestamp":${sent_at},"content":${contentJson},${texts.join()},"flags":[`
}

/** Returns the function for the fields that a message shares with others, as lists of JSON fields. */
function sharedTexts(viewer: Viewer, format: MessageFormat): (message: PageMessage) => string[] {
  const { realm, site, me } = viewer
  const details = once((message) => detailsView(realm, message, me, format))
  const conversation = once((message) => conversationView(realm, site, message, me))
  const topic = once((message) => topicFields(realm, message, format))
  const sender = senderFields(viewer, format)
  const type = fieldsOf({ content_type: contentType(format) })
  return (message) => [
    type,
    details(detailsKey(message), message),
    sender(message),
    conversation(message.recipient_id, message),
    topic(`${message.recipient_id} ${message.topic}`, message),
  ]
}

/** Returns a key of a message's details. Messages without edits, reactions and the like have the same details. */
function detailsKey(message: PageMessage): string | number {
  const isPlain =
    !message.is_me_message &&
    !message.reactions &&
    !message.submessages &&
    !message.edit_history &&
    !message.last_edited_at &&
    !message.last_moved_at
  return isPlain ? message.client : message.id
}

/** Memoizes the JSON of a part of a message for all messages of a page with the same key. */
function once<T = PageMessage>(view: (of: T) => object) {
  const made = new Map<string | number, string>()
  return (key: string | number, of: T) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const fields = fieldsOf(view(of))
    made.set(key, fields)
    return fields
  }
}

/** The JSON of the sender fields, by sender. */
type SenderTexts = WeakMap<AccountRow, string>

/** The sender fields by kind of viewer. An entry is valid until the sender's row or the organization's row is replaced. */
const senders = memoizePer<RealmRow, Map<string, SenderTexts>>(() => new Map())

/** Returns the sender fields. They are cached across pages, because most messages of a page have different senders. */
function senderFields({ realm, site, me }: Viewer, format: MessageFormat): (message: PageMessage) => string {
  // Everything that senderView depends on besides the two rows.
  const kind = `${me.role} ${isSpectator(me)} ${format.clientGravatar}`
  const [known, unknown] = [textsFor(realm.row, `known ${kind}`), textsFor(realm.row, `unknown ${kind}`)]
  const own: SenderTexts = new WeakMap()
  const knowsAll = canSeeAllUsers(realm, me)
  return (message) => {
    const sender = realm.users.require(message.sender_id)
    const texts = sender.id === me.id ? own : knowsAll || canSeeUser(realm, me, sender) ? known : unknown
    let fields = texts.get(sender)
    if (fields === undefined) {
      fields = fieldsOf(senderView(realm, site, message, me, format))
      texts.set(sender, fields)
    }
    return fields
  }
}

function textsFor(realmRow: RealmRow, kind: string): SenderTexts {
  const kinds = senders(realmRow)
  const texts: SenderTexts = kinds.get(kind) ?? new WeakMap()
  kinds.set(kind, texts)
  return texts
}

/** Returns the fields of an object, or the items of an array, without the enclosing brackets. */
function fieldsOf(view: object): string {
  return JSON.stringify(view).slice(1, -1)
}
