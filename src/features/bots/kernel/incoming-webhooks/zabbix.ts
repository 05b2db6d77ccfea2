import type { Integration, WebhookMessage } from './integration.ts'
import { markdownLink, plain, topic, withBody } from './markdown.ts'
import type { Payload } from './payload.ts'

/**
 * Zabbix sends the parameters that its administrator gives a media type of the kind webhook: hostname, severity, status,
 * item, trigger and link; or only subject and message, which every media type has.
 */
export const zabbix: Integration = {
  name: 'zabbix',
  displayName: 'Zabbix',
  client: 'ZulipZabbixWebhook',
  eventTypes: null,
  configOptions: [],
  urlOptions: [],
  read: ({ payload }) => (payload.has('subject') ? subjectMessage(payload) : triggerMessage(payload)),
}

function subjectMessage(payload: Payload): WebhookMessage {
  const subject = payload.text('subject')
  const content = withBody(`**${plain(subject)}**`, payload.maybe('message')).replace(/\.$/, '')
  return { event: null, topic: topic(subject), content }
}

function triggerMessage(payload: Payload): WebhookMessage {
  const host = payload.text('hostname')
  const known = (name: string) => {
    const value = payload.maybe(name)
    // Zabbix’s text for a macro without a value.
    return value === '*UNKNOWN*' ? undefined : value
  }
  const notes = [known('status'), known('severity')].filter((note) => note !== undefined)
  const trigger = markdownLink(payload.text('trigger'), known('link'))
  const line = `${trigger} on ${plain(host)}${notes.length > 0 ? ` (${notes.map(plain).join(', ')})` : ''}`
  return { event: null, topic: topic(host), content: withBody(line, known('item')) }
}
