import type { AccountRow, RealmRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { isSpectator } from '../channels/web-public.ts'
import { canAccess } from '../users/known-users.ts'
import { seesEmail } from '../users/user-view.ts'
import {
  contentType,
  conversationView,
  detailsView,
  type MessageFormat,
  senderView,
  topicFields,
} from './message-view.ts'
import type { PageMessage } from './page-rows.ts'
import { flagsFor } from './queries.ts'

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
  const type = fieldsOf({ content_type: contentType(format) })
  // One text that grows is cheaper than many that are joined.
  let objects = ''
  for (const [i, message] of messages.entries()) {
    const { id, sent_at, contentJson, recipient_id } = message
    if (i > 0) objects += ','
    objects +=
      `{"id":${id},"timestamp":${sent_at},"content":${contentJson},${type},${details(detailsKey(message), message)}` +
      `,${senderFields(realm, site, me, format, message)},${conversation(recipient_id, message)}` +
      `,${topic(`${recipient_id} ${message.topic}`, message)},"flags":${JSON.stringify(flagsFor(realm, me, message))}` +
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
function once(view: (message: PageMessage) => object) {
  const made = new Map<string | number, string>()
  return (key: string | number, message: PageMessage) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const fields = fieldsOf(view(message))
    made.set(key, fields)
    return fields
  }
}

/** What messages say of a sender, as kinds of readers see it. */
type SenderTexts = { organization: RealmRow; byReader: (string | undefined)[] }

/** Most messages of a page have senders of their own, so they are known beyond it: as long as their rows are the same. */
const senders = new WeakMap<AccountRow, SenderTexts>()

function senderFields(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  format: MessageFormat,
  message: PageMessage,
): string {
  const sender = realm.users.get(message.sender_id)!
  // All on which senderView depends, besides the two rows.
  const reader =
    +canAccess(realm, me, sender) +
    2 * +isSpectator(me) +
    4 * +(format.clientGravatar && seesEmail(me, sender))
  let texts = senders.get(sender)
  if (texts?.organization !== realm.realm) {
    texts = { organization: realm.realm, byReader: [] }
    senders.set(sender, texts)
  }
  texts.byReader[reader] ??= fieldsOf(senderView(realm, site, message, me, format))
  return texts.byReader[reader]
}

/** The fields of an object as they stand between its braces. */
function fieldsOf(view: object): string {
  return JSON.stringify(view).slice(1, -1)
}
