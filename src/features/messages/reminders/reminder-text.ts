import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import { limits } from '../../../lib/limits.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { fenced, fenceFor } from '../../../markdown/fences.ts'
import { withinLength } from '../../channels/kernel/messages/text.ts'
import { unknownName } from '../../kernel/users/user-view.ts'
import { canSeeUser } from '../../kernel/users/user-visibility.ts'
import { silentMention } from '../../people/kernel/users/names.ts'
import { messageUrl } from '../kernel/messages/message-url.ts'

/** What is said to whoever wanted to be reminded of a message: where it is, and what it says. */
export function reminderText(realm: RealmState, url: string, me: AccountRow, message: MessageRow): string {
  const { user_ids } = realm.recipients.get(message.recipient_id)!
  const sender = realm.users.get(message.sender_id)!
  const link = messageUrl(url, realm, message)
  const place = user_ids ? `to ${othersIn(realm, user_ids, sender)}` : `in ${placeOf(realm, message)}`
  const head = `You requested a reminder for the following ${user_ids ? 'direct ' : ''}message.\n\n${author(realm, me, sender)}`
  const widget = /^\/(poll|todo)(?=\s|$)/.exec(message.content)?.[1]
  if (widget) return `${head} [sent](${link}) a ${widget === 'poll' ? 'poll' : 'to-do list'} ${place}.`
  return quoted(`${head} [said](${link}) ${place}:`, message.content)
}

/** What is said if the message is gone by then, or is no longer to be read by them. */
export const goneText = 'You requested a reminder for a message that is no longer available to you.'

function placeOf(realm: RealmState, { recipient_id, topic, id }: MessageRow) {
  const channel = realm.channels.get(realm.recipients.get(recipient_id)!.channel_id!)!
  return `#**${channel.name}>${topic}@${id}**`
}

/** Everybody but the sender; the sender, too, of a message to oneself. */
function othersIn(realm: RealmState, userIds: number[], sender: AccountRow) {
  const others = userIds.filter((id) => id !== sender.id)
  const people = (others.length > 0 ? others : [sender.id]).map((id) => silentMention(realm.users.get(id)!))
  return people.length > 1 ? `${people.slice(0, -1).join(', ')} and ${people.at(-1)}` : people[0]!
}

/** Guests may read messages of people whom they may not know. */
function author(realm: RealmState, me: AccountRow, sender: AccountRow) {
  return canSeeUser(realm, me, sender) ? silentMention(sender) : unknownName
}

/** Cut so that all of it fits into a message. */
function quoted(head: string, content: string): string {
  const frame = `${head}\n${fenceFor(content)}quote\n\n${fenceFor(content)}`
  return `${head}\n${fenced('quote', withinLength(content, limits.messageLength - frame.length))}`
}
