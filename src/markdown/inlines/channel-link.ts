import type { Context } from '../context.ts'
import { markdownLimits } from '../limits.ts'
import type { Named } from '../lookup.ts'
import { channelAddress, topicAddress } from '../narrow-address.ts'
import { element, type Node } from '../nodes.ts'
import { matching, startsWord } from './inline-rule.ts'

/**
 * `#**channel**`, `#**channel>topic**` and `#**channel>topic@message id**`. The HTML and the address carry the
 * channel's id, so that they outlive its name. What the lookup does not know is left to the other rules.
 */
export const channelLink = matching(
  ['#**'],
  new RegExp(`${startsWord}#\\*\\*([^*]{1,${markdownLimits.name}})\\*\\*`, 'g'),
  ([, written = ''], context) => {
    const text = context.written(written)
    const [, name, topic, message] = /^([^>]+)>(.*?)(?:@(\d{1,15}))?$/s.exec(text) ?? []
    const channel = context.lookup.channelByName(name ?? text)
    if (!channel) return undefined
    if (name === undefined || topic === undefined) return toChannel(channel)
    return message === undefined
      ? toTopic(channel, topic, context)
      : toMessage(channel, topic, message, context)
  },
)

function toChannel(channel: Named): Node {
  const attributes = { class: 'stream', 'data-stream-id': String(channel.id), href: channelAddress(channel) }
  return element('a', attributes, `#${channel.name}`)
}

/** With the id of a message in it, the address leads to the topic also when it has been moved or renamed. */
function toTopic(channel: Named, topic: string, context: Context): Node {
  const newest = context.lookup.newestInTopic?.(channel.id, topic)
  const anchor = newest === undefined ? '' : `/with/${newest}`
  const href = `${topicAddress(channel, topic)}${anchor}`
  const attributes = { class: 'stream-topic', 'data-stream-id': String(channel.id), href }
  return element('a', attributes, `#${channel.name} > `, shownTopic(topic, context))
}

function toMessage(channel: Named, topic: string, message: string, context: Context): Node {
  const href = `${topicAddress(channel, topic)}/near/${message}`
  return element(
    'a',
    { class: 'message-link', href },
    `#${channel.name} > `,
    shownTopic(topic, context),
    ' @ 💬',
  )
}

function shownTopic(topic: string, context: Context): Node {
  return topic === '' ? element('em', {}, context.lookup.emptyTopicName ?? 'general chat') : topic
}
