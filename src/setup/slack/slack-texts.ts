import { messageLimits } from '../../features/kernel/messages/limits.ts'
import { linkOrAddress, markdownOf, type SlackNames } from './mrkdwn.ts'
import { shownText } from './slack-blocks.ts'
import type { SlackAttachment, SlackMessage } from './slack-export.ts'

/** The notices that Slack itself posts in a channel: who joins and leaves, and which settings change. */
const notes =
  /^(channel|group)_(join|leave|topic|purpose|name|archive|unarchive|posting_permissions|convert_to_private|convert_to_public)$|^(message_changed|message_deleted|message_replied|reply_broadcast|tombstone|bot_add|bot_remove|pinned_item|unpinned_item|reminder_add|huddle_thread|channel_canvas_updated)$/

/** Whether a message is a notice of Slack itself, and no user or bot has written it. */
export function isSlackNote({ type, subtype = '' }: SlackMessage): boolean {
  return (type !== undefined && type !== 'message') || notes.test(subtype)
}

/** Returns the Markdown of a message with its attachments, and with links to its files. */
export function slackText(message: SlackMessage, names: SlackNames, files: readonly string[]): string {
  const { subtype, text = '', blocks, attachments } = message
  const own = markdownOf(shownText(text, blocks), names)
  const parts = [
    subtype === 'me_message' ? `/me ${own}` : own,
    ...attachments.map((attachment) => attachmentText(attachment, names)),
    files.join('\n'),
  ]
  return parts
    .filter((part) => part !== '')
    .join('\n\n')
    .replaceAll('\0', '')
    .replaceAll(keyOfFiles, '')
}

/** In the addresses of files in an export. */
const keyOfFiles = /[?&]t=xox[a-z]-[\w-]+/g

/** Previews of pages that the text links to are left out, but not messages that it forwards. */
function attachmentText(attachment: SlackAttachment, names: SlackNames): string {
  const {
    pretext,
    title,
    title_link,
    text = '',
    blocks,
    fallback,
    fields,
    author_name,
    image_url,
  } = attachment
  if (attachment.from_url !== undefined && !attachment.is_share && !attachment.is_msg_unfurl) return ''
  const markdown = (part = '') => markdownOf(part, names)
  const heading = title_link && title ? markdown(`<${title_link}|${title}>`) : markdown(title)
  const inside = [
    author_name ? `**${markdown(author_name)}**` : '',
    heading,
    markdown(shownText(text, blocks)),
    ...fields.map(({ title: name, value }) => (name ? `**${markdown(name)}**: ` : '') + markdown(value)),
    image_url && image_url !== title_link ? linkOrAddress(image_url, '') : '',
  ].filter((part) => part !== '')
  if (inside.length === 0 && !pretext) return markdown(fallback)
  const quote = inside.length > 0 ? `\`\`\`\`quote\n${inside.join('\n')}\n\`\`\`\`` : ''
  return [markdown(pretext), quote].filter((part) => part !== '').join('\n')
}

/** Divides a text that is too long for one message, between lines if there are any. */
export function partsOfText(text: string): string[] {
  const most = messageLimits.messageLength
  const parts: string[] = []
  let rest = text
  while (rest.length > most) {
    const line = rest.lastIndexOf('\n', most)
    const end = line > most / 2 ? line : most - (isHighSurrogate(rest, most - 1) ? 1 : 0)
    parts.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return [...parts, rest].filter((part) => part.trim() !== '')
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xd800 && code < 0xdc00
}
