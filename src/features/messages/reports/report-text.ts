import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { fenced } from '../../../markdown/blocks/fences.ts'
import { linkToChannel } from '../../kernel/channels/link-text.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'
import { cutTopic, withinLength } from '../../kernel/messages/message-text.ts'
import { silentMention } from '../../people/kernel/users/names.ts'
import { messageUrl } from '../kernel/messages/message-url.ts'

/** The reasons for a report, as moderators read them. */
export const reasons = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Against the norms of the community',
  other: 'Other',
} as const

export type Reason = keyof typeof reasons

type Report = { message: MessageRow; reported: AccountRow; reason: Reason; explanation: string }

/** All reports about one user are in the same topic. */
export function reportTopic(reported: AccountRow): string {
  return cutTopic(`Reports about ${reported.full_name}`)
}

/** Includes the current text, because moderators may not be able to read it in its conversation, and it may change. */
export function reportText(realm: RealmState, url: string, me: AccountRow, report: Report): string {
  const { message, reported, reason, explanation } = report
  const whose = reported.id === me.id ? 'a message of their own' : `a message of ${silentMention(reported)}`
  const lines = [
    `${silentMention(me)} has reported ${whose} ${placeOfMessage(realm, url, message)}.`,
    `* **Reason**: ${reasons[reason]}`,
    ...(explanation === '' ? [] : ['* **Explanation**:', fenced('quote', explanation)]),
    '',
  ]
  const head = lines.join('\n')
  // The space left for the text without its fences.
  const room = messageLimits.messageLength - [...head].length - 200
  const shown = [...message.content].slice(0, Math.max(0, room)).join('')
  return withinLength(`${head}\n${fenced('spoiler The message', shown)}`)
}

function placeOfMessage(realm: RealmState, url: string, message: MessageRow) {
  const { channel_id, user_ids } = realm.recipients.require(message.recipient_id)
  if (user_ids) return `in a direct conversation of ${user_ids.length} people`
  return `in ${linkToChannel(realm.channels.require(channel_id))} ([see it](${messageUrl(url, realm, message)}))`
}
