import type { AccountRow, ChannelRow } from '../../../db/schema.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import { firstIn } from '../../../lib/must.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import { lower } from '../../../lib/text/lower.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { render } from '../../../markdown/render.ts'
import { linkToChannel } from '../../kernel/channels/link-text.ts'
import { noticeLookup } from '../../kernel/messages/markdown-lookup.ts'
import { notifyPeople } from '../../kernel/messages/notify-people.ts'
import { postNotice, postNotices } from '../../kernel/messages/post-notice.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { silentMention } from '../../people/kernel/users/names.ts'
import { eventsTopic, noticeTexts } from '../kernel/channels/channel-notices.ts'

type Subscribing = {
  /** The channels that the request created. */
  created: ChannelRow[]
  /** Whether those are announced to all users. */
  isAnnounced: boolean
  /** The new subscribers who are to be notified, with their channels. */
  newcomers: Map<number, ChannelRow[]>
}

/** Posts the Notification Bot's announcements of new channels, and notifies users whom another user has subscribed. */
export async function notifySubscribed(
  change: Change,
  { me, site }: { me: AccountRow; site: Site },
  { created, isAnnounced, newcomers }: Subscribing,
) {
  // The messages link to channels that have only just received their ids, so they are rendered here.
  const lookup = lookupWith(change.state, { me, site }, created)
  const compose = (content: string) => ({ content, rendered: render(content, lookup) })
  for (const [userIds, content] of welcomes(change.state, me, created, newcomers)) {
    await notifyPeople(change, userIds, compose(content))
  }
  const open = created.filter((channel) => !channel.is_private)
  const place = announcements(change.state)
  if (isAnnounced && place && open.length > 0) {
    const topic = place.topics_policy === 'empty_topic_only' ? '' : 'new channels'
    const notice = compose(announcement(me, open))
    await postNotice(change, { recipientId: place.recipient_id, topic, ...notice, readBy: [me.id] })
  }
}

/** Posts in each new channel who has created it. */
export async function notifyCreated(
  change: Change,
  { me, site }: { me: AccountRow; site: Site },
  created: ChannelRow[],
) {
  const lookup = lookupWith(change.state, { me, site }, created)
  const notices = created.map((channel) => {
    const content = noticeTexts.created(me, channel)
    const topic = eventsTopic(channel)
    const rendered = render(content, lookup)
    return { recipientId: channel.recipient_id, topic, content, rendered, readBy: [me.id] }
  })
  await postNotices(change, notices)
}

function lookupWith(realm: RealmState, { me, site }: { me: AccountRow; site: Site }, created: ChannelRow[]) {
  const lookup = noticeLookup(realm, realmUrl(site, realm.row), me)
  const byName = new Map(created.map((channel) => [lower(channel.name), channel]))
  return {
    ...lookup,
    channelByName: (name: string) => byName.get(lower(name)) ?? lookup.channelByName(name),
  }
}

/** Returns the channel for announcements of new channels, if there is one. */
function announcements(realm: RealmState): ChannelRow | undefined {
  const channel = realm.channels.get(realmSettings(realm).new_stream_announcements_stream_id)
  return channel?.is_archived ? undefined : channel
}

function announcement(me: AccountRow, channels: ChannelRow[]) {
  const names = channels.map(linkToChannel).join(', ')
  return channels.length === 1
    ? `${silentMention(me)} created a new channel ${names}.`
    : `${silentMention(me)} created the following channels: ${names}.`
}

/** Returns the texts, each with its recipients: human users, for channels that existed before. */
function welcomes(
  realm: RealmState,
  me: AccountRow,
  created: ChannelRow[],
  newcomers: Map<number, ChannelRow[]>,
): [userIds: number[], content: string][] {
  const isNew = new Set(created.map((channel) => channel.id))
  const greeted = [...newcomers].flatMap(([id, channels]) => {
    const old = channels.filter((channel) => !isNew.has(channel.id))
    const isOther = id !== me.id && realm.users.get(id)?.bot_type === null
    return isOther && old.length > 0 ? [{ id, content: welcome(me, old) }] : []
  })
  return [...groupBy(greeted, ({ content }) => content)].map(([content, people]) => [
    people.map(({ id }) => id),
    content,
  ])
}

function welcome(me: AccountRow, channels: ChannelRow[]) {
  const subscriber = `@**${me.full_name}|${me.id}**`
  if (channels.length === 1)
    return `${subscriber} subscribed you to the channel ${linkToChannel(firstIn(channels))}.`
  const names = channels.map((channel) => `* ${linkToChannel(channel)}`).join('\n')
  return `${subscriber} subscribed you to the following channels:\n\n${names}`
}
