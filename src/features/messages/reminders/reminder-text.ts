import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import { firstIn } from '../../../lib/must.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { fenced, fenceFor } from '../../../markdown/blocks/fences.ts'
import { linkToMessage } from '../../kernel/channels/link-text.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'
import { withinLength } from '../../kernel/messages/message-text.ts'
import { unknownName } from '../../kernel/users/user-view.ts'
import { canSeeUser } from '../../kernel/users/user-visibility.ts'
import { silentMention } from '../../people/kernel/users/names.ts'
import { messageUrl } from '../kernel/messages/message-url.ts'

/** Returns the text of a reminder: a link to the message, and its content. */
export function reminderText(realm: RealmState, url: string, me: AccountRow, message: MessageRow): string {
  const { user_ids } = realm.recipients.require(message.recipient_id)
  const sender = realm.users.require(message.sender_id)
  const link = messageUrl(url, realm, message)
  const place = user_ids
    ? `to ${othersIn(realm, user_ids, sender)}`
    : `in ${linkToMessage(realm.channelOf(message.recipient_id), message)}`
  const head = `You requested a reminder for the following ${user_ids ? 'direct ' : ''}message.\n\n${author(realm, me, sender)}`
  const widget = /^\/(poll|todo)(?=\s|$)/.exec(message.content)?.[1]
  if (widget) return `${head} [sent](${link}) a ${widget === 'poll' ? 'poll' : 'to-do list'} ${place}.`
  return quoted(`${head} [said](${link}) ${place}:`, message.content)
}

/** The text of a reminder whose message is deleted or no longer readable. */
export const goneText = 'You requested a reminder for a message that is no longer available to you.'

/** Returns all participants except the sender, or the sender if the message is to themself. */
function othersIn(realm: RealmState, userIds: number[], sender: AccountRow) {
  const others = userIds.filter((id) => id !== sender.id)
  const people = (others.length > 0 ? others : [sender.id]).map((id) =>
    silentMention(realm.users.require(id)),
  )
  return people.length > 1 ? `${people.slice(0, -1).join(', ')} and ${people.at(-1)}` : firstIn(people)
}

/** Names the author. Guests may read messages of users whom they may not see. */
function author(realm: RealmState, me: AccountRow, sender: AccountRow) {
  return canSeeUser(realm, me, sender) ? silentMention(sender) : unknownName
}

/** Quotes the content, truncated so that the whole text fits into a message. */
function quoted(head: string, content: string): string {
  const frame = `${head}\n${fenceFor(content)}quote\n\n${fenceFor(content)}`
  return `${head}\n${fenced('quote', withinLength(content, messageLimits.messageLength - frame.length))}`
}
