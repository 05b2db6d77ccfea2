import type { AccountRow, RealmRow } from '../../../db/schema.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isSpectator } from '../../kernel/channels/web-public.ts'
import {
  contentType,
  conversationView,
  detailsView,
  type MessageFormat,
  senderView,
  topicFields,
} from '../../kernel/messages/message-view.ts'
import type { PageMessage } from '../../kernel/messages/page-rows.ts'
import { flagsFor } from '../../kernel/messages/queries.ts'
import { canSeeAllUsers, canSeeUser } from '../../kernel/users/user-visibility.ts'

/**
 * The message objects of the wire, with the reader's flags, as the inside of a JSON array; `more`: further fields of
 * each. What messages have in common (their sender, conversation, topic …) is made once for all of them. For events,
 * which many readers share, messageView makes the same objects.
 */
export function messagesJson(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  format: MessageFormat,
  messages: PageMessage[],
  more?: object[],
): string {
  const details = once((message) => detailsView(realm, message, me, format))
  const conversation = once((message) => conversationView(realm, site, message, me))
  const topic = once((message) => topicFields(realm, message, format))
  const flagsOf = flagsFor(realm, me)
  const flagList = once((flags: string[]) => flags)
  const sender = senderFields(realm, site, me, format)
  const type = fieldsOf({ content_type: contentType(format) })
  // One text that grows is cheaper than many that are joined.
  let objects = ''
  for (const [i, message] of messages.entries()) {
    const { id, sent_at, contentJson, recipient_id } = message
    const flags = flagsOf(message)
    if (i > 0) objects += ','
    objects +=
      `{"id":${id},"timestamp":${sent_at},"content":${contentJson},${type},${details(detailsKey(message), message)}` +
      `,${sender(message)},${conversation(recipient_id, message)}` +
      `,${topic(`${recipient_id} ${message.topic}`, message)},"flags":[${flagList(flags.join(), flags)}]` +
      `${more ? `,${fieldsOf(more[i]!)}` : ''}}`
  }
  return objects
}

/** Messages to which nobody has added anything, and which nobody has changed, are alike in their details. */
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

/** The JSON of a part of a message, made once for all messages of a page with the same key. */
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

/** What messages say of each sender. */
type SenderTexts = WeakMap<AccountRow, string>

/** The same by what kinds of readers see: kept until a sender's row, or that of the organization, is another one. */
const senders = new WeakMap<RealmRow, Map<string, SenderTexts>>()

/** Most messages of a page have senders of their own, so what is said of these is known beyond it. */
function senderFields(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  format: MessageFormat,
): (message: PageMessage) => string {
  // All on which senderView depends, besides the two rows.
  const kind = `${me.role} ${isSpectator(me)} ${format.clientGravatar}`
  const [known, unknown] = [textsFor(realm.realm, `known ${kind}`), textsFor(realm.realm, `unknown ${kind}`)]
  const own: SenderTexts = new WeakMap()
  const knowsAll = canSeeAllUsers(realm, me)
  return (message) => {
    const sender = realm.users.get(message.sender_id)!
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
  const kinds = senders.get(realmRow) ?? new Map<string, SenderTexts>()
  senders.set(realmRow, kinds)
  const texts: SenderTexts = kinds.get(kind) ?? new WeakMap()
  kinds.set(kind, texts)
  return texts
}

/** The fields of an object, or the items of an array, as they stand within it. */
function fieldsOf(view: object): string {
  return JSON.stringify(view).slice(1, -1)
}
