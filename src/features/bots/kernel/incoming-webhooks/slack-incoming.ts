import { ApiError, badRequest } from '../../../../lib/api-error.ts'
import type { IncomingWebhook, Integration, WebhookMessage } from './integration.ts'
import { markdownLink, plain } from './markdown.ts'
import type { Payload } from './payload.ts'
import { fromSlack } from './slack-text.ts'

/** For clients of Slack's incoming webhooks: a text, blocks and attachments. */
export const slackIncoming: Integration = {
  name: 'slack_incoming',
  displayName: 'Slack-compatible webhook',
  client: 'ZulipSlackIncomingWebhook',
  eventTypes: null,
  configOptions: [],
  urlOptions: [],
  read,
  answer: { ok: true },
  refusal: ({ message, code, status, data }) =>
    new ApiError(message, code, status, { ...data, ok: false, error: message }),
}

function read({ payload }: IncomingWebhook): WebhookMessage {
  const topic = payload.maybe('channel')?.replace(/^[#@]/, '') ?? '(no topic)'
  const blocks = payload.list('blocks').map(blockText)
  const text = payload.maybe('text')
  // If there are blocks, the text is only a fallback for clients that cannot show them.
  const body = blocks.some(Boolean) ? blocks : [text === undefined ? '' : fromSlack(text)]
  const attachments = payload.list('attachments').map(attachmentText)
  const content = [...body, ...attachments].filter(Boolean).join('\n\n').trim()
  if (content === '') throw badRequest('Malformed payload: there is no text')
  return { event: null, topic, content }
}

function blockText(block: Payload): string {
  switch (block.maybe('type')) {
    case 'header':
      return `## ${textOf(block.at('text'))}`
    case 'section':
      return [textOf(block.at('text')), ...block.list('fields').map(textOf)].filter(Boolean).join('\n')
    case 'divider':
      return '---'
    case 'context':
      return block.list('elements').map(elementText).filter(Boolean).join(' ')
    case 'image':
      return imageText(block)
    case 'actions':
      return block.list('elements').map(elementText).filter(Boolean).join(' | ')
    case 'rich_text':
      return block.list('elements').map(richText).join('\n')
    default:
      return ''
  }
}

function elementText(element: Payload): string {
  if (element.maybe('type') === 'image') return imageText(element)
  if (element.maybe('type') !== 'button') return textOf(element)
  const url = element.maybe('url')
  return url ? markdownLink(element.maybe('text.text') ?? url, url) : ''
}

function imageText(image: Payload): string {
  const url = image.maybe('image_url')
  return markdownLink(image.maybe('title.text') ?? image.maybe('alt_text') ?? url ?? '', url)
}

function richText(element: Payload): string {
  const parts = element.list('elements').map((part) => {
    if (part.has('elements')) return `- ${richText(part)}`
    if (part.maybe('type') === 'link')
      return markdownLink(part.maybe('text') ?? part.text('url'), part.maybe('url'))
    return plain(part.maybe('text') ?? part.maybe('name') ?? '')
  })
  return parts.join(element.maybe('type') === 'rich_text_list' ? '\n' : ' ')
}

/** Returns the text of a text object, in Slack's markup or as plain text. */
function textOf(object: Payload): string {
  const text = object.maybe('text') ?? ''
  return object.maybe('type') === 'plain_text' ? plain(text) : fromSlack(text)
}

function attachmentText(attachment: Payload): string {
  const say = (name: string) => fromSlack(attachment.maybe(name) ?? '')
  const title = attachment.maybe('title')
  const fields = attachment.list('fields').map((field) => {
    const [name, value] = [field.maybe('title'), fromSlack(field.maybe('value') ?? '')]
    return name ? `**${plain(name)}**: ${value}` : value
  })
  const image = attachment.maybe('image_url')
  const parts = [
    say('pretext'),
    title ? `**${markdownLink(title, attachment.maybe('title_link'))}**` : '',
    say('text'),
    ...attachment.list('blocks').map(blockText),
    fields
      .filter(Boolean)
      .map((line) => `- ${line}`)
      .join('\n'),
    image ? markdownLink('image', image) : '',
    attachment.has('footer') ? plain(attachment.text('footer')) : '',
  ].filter(Boolean)
  return parts.length > 0 ? parts.join('\n\n') : say('fallback')
}
