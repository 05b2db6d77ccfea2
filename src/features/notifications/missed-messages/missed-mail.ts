import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import { firstIn, lastIn } from '../../../lib/must.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { type Letter, type LetterPart, letter } from '../../kernel/mail/letter.ts'
import { emptyTopicDisplayName } from '../../kernel/topics/shown-topic.ts'
import { userSetting } from '../../kernel/users/settings.ts'
import { messageUrl } from '../../messages/kernel/messages/message-url.ts'
import { counted } from '../kernel/mail-texts/counted.ts'
import { mailsShowContent, realmNamePolicies } from '../kernel/mail-texts/mail-settings.ts'
import { shownPersonName } from '../kernel/mail-texts/person-name.ts'
import { missedLimits } from '../kernel/missed-messages/limits.ts'
import { plainText } from '../kernel/plain-text/plain-text.ts'
import { replyAddress } from '../kernel/replies/reply-destination.ts'

/** A missed message. `total`: the number of missed messages, including those that were not loaded. */
export type UnreadMessage = Pick<
  MessageRow,
  'id' | 'recipient_id' | 'sender_id' | 'topic' | 'rendered_content'
> & {
  total: number
}

/** Returns the mail about missed messages (in ascending order), grouped by conversation. */
export function missedMail(
  realm: RealmState,
  site: Site,
  user: AccountRow,
  messages: UnreadMessage[],
  unsubscribeUrl: string,
): Letter & { subject: string; replyTo?: string | undefined } {
  const url = realmUrl(site, realm.row)
  const conversations = conversationsOf(realm, site, user, messages)
  const showsContent = mailsShowContent(realm, user)
  const { total } = firstIn(messages)
  // A reader who does not see the conversation cannot answer in it. A reader who sees several must choose one.
  const replyTo = showsContent && conversations.length === 1 ? conversations[0]?.replyTo : undefined
  const parts = showsContent
    ? withContent(realm, url, user, conversations, total)
    : [`You have ${counted(total, 'unread message')} in ${realm.row.name}.`]
  const small =
    'You are receiving this email because you missed these messages while you were away. Stop emails like this:'
  return {
    subject: subjectOf(realm, user, conversations, total, showsContent),
    replyTo,
    ...letter([...parts, { link: `Open ${realm.row.name}`, url }, { small, url: unsubscribeUrl }]),
  }
}

type Conversation = { name: string; messages: UnreadMessage[]; replyTo: string | undefined }

function conversationsOf(
  realm: RealmState,
  site: Site,
  user: AccountRow,
  messages: UnreadMessage[],
): Conversation[] {
  const groups = groupBy(messages, ({ recipient_id, topic }) => `${recipient_id}:${lower(topic)}`)
  return [...groups.values()].map((group) => ({
    name: nameOf(realm, user, firstIn(group)),
    messages: group,
    replyTo: replyAddress({ realm, site, me: user }, lastIn(group)),
  }))
}

function nameOf(realm: RealmState, user: AccountRow, { recipient_id, topic }: UnreadMessage): string {
  const { channel_id, user_ids } = realm.recipients.require(recipient_id)
  if (channel_id !== null)
    return `#${realm.channels.require(channel_id).name} > ${topic || emptyTopicDisplayName}`
  const others = user_ids.filter((id) => id !== user.id).map((id) => shownPersonName(realm, user, id))
  return others.length > 1 ? `Group of you, ${others.join(', ')}` : `Direct message from ${others[0]}`
}

function withContent(
  realm: RealmState,
  url: string,
  user: AccountRow,
  conversations: Conversation[],
  total: number,
): LetterPart[] {
  let room: number = missedLimits.missedMessagesPerMail
  const parts: LetterPart[] = []
  for (const { name, messages, replyTo } of conversations) {
    const shown = messages.slice(0, room)
    room -= shown.length
    if (shown.length > 0) parts.push({ heading: name, url: messageUrl(url, realm, firstIn(shown)) })
    for (const message of shown) {
      parts.push({
        from: shownPersonName(realm, user, message.sender_id),
        quote: plainText(message.rendered_content, missedLimits.missedMessageLength),
      })
    }
    if (replyTo && shown.length > 0) parts.push(replyNote(replyTo, conversations.length === 1))
  }
  const left = total - missedLimits.missedMessagesPerMail
  return left > 0 ? [...parts, `And ${counted(left, 'more message')}.`] : parts
}

function replyNote(address: string, isOnlyOne: boolean): string {
  return isOnlyOne
    ? 'Reply to this email to answer in this conversation.'
    : `Answer in this conversation by email: ${address}`
}

function subjectOf(
  realm: RealmState,
  user: AccountRow,
  conversations: Conversation[],
  messages: number,
  showsContent: boolean,
) {
  const policy = userSetting(user, 'realm_name_in_email_notifications_policy')
  const place = policy === realmNamePolicies.always ? `[${realm.row.name}] ` : ''
  if (!showsContent) return `${place}${counted(messages, 'unread message')}`
  const lookedAt = conversations.reduce((sum, conversation) => sum + conversation.messages.length, 0)
  if (lookedAt < messages) return place + counted(messages, 'message')
  if (conversations.length === 1) return place + firstIn(conversations).name
  return `${place}${counted(messages, 'message')} in ${conversations.length} conversations`
}
