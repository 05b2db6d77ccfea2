import type { Named } from './lookup.ts'

/** Returns the path at which clients show a channel: `/#narrow/channel/7-my-channel`. */
export function channelAddress({ id, name }: Named): string {
  return `/#narrow/channel/${encodeForHash(`${id}-${name.replaceAll(' ', '-')}`)}`
}

/** Returns the path at which clients show a topic: `/#narrow/channel/7-my-channel/topic/my.20topic`. */
export function topicAddress(channel: Named, topic: string): string {
  return `${channelAddress(channel)}/topic/${encodeForHash(topic)}`
}

/** A part of what stands after `#` in an address: letters, digits and `-_~` as they are, the rest as `.` and hexadecimals. */
function encodeForHash(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[!'()*.]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.')
}
