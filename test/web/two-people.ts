import { webUser } from '../browser/chromium.ts'
import { sender } from '../messages.ts'
import type { Organization } from '../organization.ts'

/** The scene with which most tests of the web client begin: Ana and Bo share a channel. Bo writes there by `say`. */
export async function twoPeople(organization: () => Promise<Organization>) {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const channel = await org.channel({ name: 'design', subscribers: [ana, bo] })
  /** The address of the view of a topic. */
  const topic = (name: string) =>
    `#narrow/channel/${channel.id}-design/topic/${encodeURIComponent(name).replaceAll('%', '.')}`
  return { org, ana, bo, channel, say: sender(bo, channel), topic }
}

/** The scene around a channel's settings: Ana administers the channel, Bo is subscribed to it, and Cy is not. */
export async function threePeople(organization: () => Promise<Organization>) {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const cy = await webUser(org, 'Cy Okafor')
  const channel = await org.channel({ name: 'design', creator: ana, subscribers: [ana, bo] })
  return { org, ana, bo, cy, channel, hash: `#narrow/channel/${channel.id}-design` }
}

/** Views of all kinds, with one of that channel's topics, by their titles. */
export function usualViews(channel: { id: number }): [hash: string, title: RegExp][] {
  return [
    ['#inbox', /^Inbox/],
    ['#recent', /^Recent conversations/],
    ['#feed', /^Combined feed/],
    ['#channels', /^Channels/],
    [`#narrow/channel/${channel.id}/topic/Dark.20theme`, /Dark theme/],
  ]
}
