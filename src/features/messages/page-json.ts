import type { AccountRow } from '../../db/schema.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmState } from '../../log/realm-state.ts'
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
 * The message objects of a page, with the reader's flags, as a JSON array: the same as readerView makes of each. But
 * what messages have in common (their sender, conversation, topic …) is made once for all of them.
 */
export function pageJson(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  format: MessageFormat,
  messages: PageMessage[],
): string {
  const parts = [
    once(detailsKey, (message) => detailsView(realm, message, me, format)),
    once(
      ({ sender_id }) => sender_id,
      (message) => senderView(realm, site, message, me, format),
    ),
    once(
      ({ recipient_id }) => recipient_id,
      (message) => conversationView(realm, site, message, me),
    ),
    once(
      ({ recipient_id, topic }) => `${recipient_id} ${topic}`,
      (message) => topicFields(realm, message, format),
    ),
  ]
  const type = fieldsOf({ content_type: contentType(format) })
  const objects = messages.map((message) => {
    const { id, sent_at, contentJson } = message
    const flags = JSON.stringify(flagsFor(realm, me, message))
    const shared = parts.map((part) => part(message)).join()
    return `{"id":${id},"timestamp":${sent_at},"content":${contentJson},${type},${shared},"flags":${flags}}`
  })
  return `[${objects.join()}]`
}

/** Messages to which nobody has added anything, and which nobody has changed, are alike in their details. */
function detailsKey(message: PageMessage) {
  const isPlain =
    !message.reactions &&
    !message.submessages &&
    !message.edit_history &&
    !message.last_edited_at &&
    !message.last_moved_at
  return isPlain ? `${message.is_me_message} ${message.client}` : message.id
}

/** The JSON of a part of a message, made once for all messages with the same key. */
function once(keyOf: (message: PageMessage) => unknown, view: (message: PageMessage) => object) {
  const made = new Map<unknown, string>()
  return (message: PageMessage) => {
    const key = keyOf(message)
    const known = made.get(key)
    if (known !== undefined) return known
    const fields = fieldsOf(view(message))
    made.set(key, fields)
    return fields
  }
}

/** The fields of an object as they stand between its braces. */
function fieldsOf(view: object): string {
  return JSON.stringify(view).slice(1, -1)
}
