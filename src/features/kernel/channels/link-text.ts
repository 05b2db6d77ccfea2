import type { ChannelRow } from '../../../db/schema.ts'
import { channelAddress, topicAddress } from '../../../markdown/narrow-address.ts'

type Channel = Pick<ChannelRow, 'id' | 'name'>

/** Returns the Markdown of a link to a channel. */
export function linkToChannel(channel: Channel): string {
  const { name } = channel
  return breaksLink(name) ? plainLink(`#${name}`, channelAddress(channel)) : `#**${name}**`
}

/** Returns the Markdown of a link to a topic. */
export function linkToTopic(channel: Channel, topic: string): string {
  // A number behind @ would be the id of a message.
  if (!breaksLink(channel.name) && !breaksLink(topic) && !/@\d+$/.test(topic)) {
    return `#**${channel.name}>${topic}**`
  }
  return plainLink(`#${channel.name} > ${topic}`, topicAddress(channel, topic))
}

/** Returns the Markdown of a link to a message in a topic. */
export function linkToMessage(channel: Channel, { id, topic }: { id: number; topic: string }): string {
  if (!breaksLink(channel.name) && !breaksLink(topic)) return `#**${channel.name}>${topic}@${id}**`
  return plainLink(`#${channel.name} > ${topic} @ 💬`, `${topicAddress(channel, topic)}/near/${id}`)
}

/** Returns whether a name has characters with a meaning of their own in `#**channel>topic**`, as clients decide it. */
function breaksLink(name: string): boolean {
  return /[`>*&[\]]|\$\$/.test(name)
}

/** Returns an ordinary link whose text shows these characters. */
function plainLink(text: string, address: string): string {
  const shown = text.replace(/[`*&[\]$<~]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `[${shown}](${address.replace(/^\//, '')})`
}
