import type { AccountRow, RealmRow } from '../../../db/schema.ts'
import { memoizePer } from '../../../lib/memoize-per.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isSpectator } from '../../kernel/channels/web-public.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'
import { lengthOf, type MessageSegments } from '../../kernel/messages/message-segments.ts'
import {
  contentType,
  conversationView,
  detailsView,
  isOneOnOne,
  type MessageFormat,
  senderView,
  topicFields,
} from '../../kernel/messages/message-view.ts'
import type { PageMessage } from '../../kernel/messages/page-rows.ts'
import { flagsFor } from '../../kernel/messages/queries.ts'
import { canSeeAllUsers, canSeeUser } from '../../kernel/users/user-visibility.ts'

/**
 * Returns the message objects of the wire, with the reader's flags, as the inside of a JSON array. `more`: further
 * fields of each object. Parts that messages share (sender, conversation, topic …) are serialized once. For events,
 * which many readers share, messageView returns the same objects.
 */
export function messagesJson(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  format: MessageFormat,
  messages: PageMessage[],
  more?: object[],
): string {
  const textsOf = sharedTexts(realm, site, me, format)
  const flagsOf = flagsFor(realm, me)
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
 * Returns the same, as bytes where messages are in memory: to write and to encode such a text again would be most of the
 * work of an answer.
 */
export function pageJson(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  format: MessageFormat,
  messages: PageMessage[],
): string | Buffer {
  // What else the texts depend on are rows. Some readers see some messages as others do not.
  const isUsual = !isSpectator(me) && canSeeAllUsers(realm, me)
  if (!isUsual || !messages.some(({ segments }) => segments)) {
    return messagesJson(realm, site, me, format, messages)
  }
  const kind = `${me.role} ${format.clientGravatar} ${format.emptyTopicName}`
  const textsOf = sharedTexts(realm, site, me, format)
  const flagsOf = flagsFor(realm, me)
  const tails = new Map<string, Buffer>()
  const parts: Buffer[] = []
  for (const message of messages) {
    const isOwn = message.sender_id === me.id || isOneOnOne(realm, message)
    const flags = flagsOf(message)
    const key = flags.join()
    const tail = tails.get(key) ?? Buffer.from(`${fieldsOf(flags)}]},`)
    tails.set(key, tail)
    if (isOwn || !message.segments) parts.push(Buffer.from(headOf(message, textsOf(message))))
    else parts.push(segmentFor(kind, realm, message, message.segments, textsOf))
    parts.push(tail)
  }
  // Without the last comma.
  return Buffer.concat(parts).subarray(0, -1)
}

/** Returns a message's head as bytes. If rows have changed since it was made, but no text of it, it is still right. */
function segmentFor(
  kind: string,
  { changedAt }: RealmState,
  message: PageMessage,
  segments: MessageSegments,
  textsOf: (message: PageMessage) => string[],
): Buffer {
  const known = segments.get(kind)
  if (known?.changedAt === changedAt) return known.bytes
  const texts = textsOf(message)
  if (known?.texts.every((text, i) => text === texts[i])) {
    known.changedAt = changedAt
    return known.bytes
  }
  const bytes = Buffer.from(headOf(message, texts))
  const isShort = lengthOf(texts) <= messageLimits.textsInMemory
  if (isShort) segments.put(message.id, kind, { changedAt, texts, bytes })
  return bytes
}

/** Returns an object of the wire, up to its flags. */
function headOf({ id, sent_at, contentJson }: PageMessage, texts: string[]): string {
  return `{"id":${id},"timestamp":${sent_at},"content":${contentJson},${texts.join()},"flags":[`
}

/** Returns the JSON of what messages share, as lists of fields. */
function sharedTexts(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  format: MessageFormat,
): (message: PageMessage) => string[] {
  const details = once((message) => detailsView(realm, message, me, format))
  const conversation = once((message) => conversationView(realm, site, message, me))
  const topic = once((message) => topicFields(realm, message, format))
  const sender = senderFields(realm, site, me, format)
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

/** The same, by kind of reader. An entry is valid until the sender's row or the organization's row is replaced. */
const senders = memoizePer<RealmRow, Map<string, SenderTexts>>(() => new Map())

/** Returns the sender fields. They are cached across pages, because most messages of a page have different senders. */
function senderFields(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  format: MessageFormat,
): (message: PageMessage) => string {
  // Everything that senderView depends on besides the two rows.
  const kind = `${me.role} ${isSpectator(me)} ${format.clientGravatar}`
  const [known, unknown] = [textsFor(realm.realm, `known ${kind}`), textsFor(realm.realm, `unknown ${kind}`)]
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
