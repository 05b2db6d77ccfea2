import type { ChannelRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { plain, topic } from '../../bots/kernel/incoming-webhooks/markdown.ts'
import { messageLimits } from '../../kernel/messages/limits.ts'
import { topicsPolicyOf } from '../../kernel/messages/may-send.ts'
import { topicToSendTo, withinLength } from '../../kernel/messages/message-text.ts'
import type { StagedUpload } from '../../messages/uploads/store-upload.ts'
import type { ReadMail } from './read-mail.ts'

const prefixes = /^(?:\s*(?:re|fwd?|aw|wg|antw|sv|vs|vb|tr|rv|rif|odp|ynt)\s*(?:\[\d{1,3}\])?\s*:)+/i

/** The topic of a mail without a subject, where a message needs one. */
const noSubject = 'Email without a subject'

/** Returns the topic of a mail's message: its subject, as far as the channel takes topics. */
export function topicOfMail(realm: RealmState, channel: ChannelRow, { subject }: ReadMail): string {
  const policy = topicsPolicyOf(realm, channel)
  if (policy === 'empty_topic_only') return ''
  // Cut it early: the part that a topic keeps is at the beginning.
  const written = topic(subject.slice(0, 4 * messageLimits.topicLength + 100).replace(prefixes, ''))
  return topicToSendTo(written.replace(/\s+/g, ' ')) || noSubject
}

/** The parts above and below the text of a mail. */
type MessageParts = { head: string[]; files: StagedUpload[]; filesLeft: number }

/** Returns the content of a message: the text, cut if it is too long, and links to its files. */
export function mailContent(
  text: string,
  { head, files, filesLeft }: MessageParts,
  filesFirst: boolean,
): string {
  const notes = filesLeft > 0 ? [`(${filesLeft} more attachments were left out.)`] : []
  const links = [...files.map(({ name, path }) => `[${label(name)}](/user_uploads/${path})`), ...notes].join(
    '\n',
  )
  const before = [...head, ...(filesFirst && links ? [links] : [])]
  const after = filesFirst || !links ? [] : [links]
  const others = [...before, ...after].reduce((sum, part) => sum + [...part].length + 2, 0)
  const shown = withinLength(text, messageLimits.messageLength - others)
  return [...before, ...(shown ? [shown] : []), ...after].join('\n\n')
}

/**
 * Returns the lines above the text of a mail to a channel: its sender, if the gateway posts it, and its subject, unless
 * that is the topic.
 */
export function headOf(mail: ReadMail, isGateway: boolean, hasTopic: boolean): string[] {
  const name = plain(mail.fromName)
  const address = plain(mail.fromAddress)
  const from = name && address ? `${name} (${address})` : name || address || 'unknown'
  const subject = hasTopic ? '' : plain(mail.subject)
  const lines = [
    ...(isGateway ? [`**From:** ${silenced(from)}`] : []),
    ...(subject ? [`**Subject:** ${silenced(subject)}`] : []),
  ]
  return lines.length > 0 ? [lines.join('\n')] : []
}

/** Returns a text whose mentions notify no user. Strangers write it. */
export function silenced(text: string): string {
  return text.replace(/@(?=_?\*)/g, '@\u200b')
}

function label(name: string): string {
  return silenced(
    name
      .replace(/\s+/g, ' ')
      .replaceAll('[', '(')
      .replaceAll(']', ')')
      .replaceAll('`', "'")
      .replace(/\*\*|\$\$|~~/g, '_'),
  )
}
