import type { ChannelRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { channelAudience } from '../kernel/channels/audience.ts'
import { noticeTexts } from '../kernel/channels/channel-notices.ts'
import { channelView, type PersonalView, personalView } from '../kernel/channels/channel-view.ts'
import { defaultChannelsChanged } from '../kernel/channels/default_streams.event.ts'
import { defaultChannelIds } from '../kernel/channels/default-channels.ts'
import { channelCreated, channelsDeleted } from '../kernel/channels/stream.event.ts'
import { subscribersOf } from '../kernel/subscriptions/subscribers.ts'
import { peersChanged, subscribed } from '../kernel/subscriptions/subscription.event.ts'
import type { ChannelEdit } from './channel-edit.ts'

/** Archives a channel. It keeps its messages and subscribers, but accepts no new messages. Its name stays taken. */
export function archive(edit: ChannelEdit) {
  const { realm, channel } = edit
  if (channel.is_archived) throw badRequest('Channel is already deactivated')
  if (channel.is_default) {
    edit.set({ is_default: false })
    const ids = defaultChannelIds(realm).filter((id) => id !== channel.id)
    edit.emit(defaultChannelsChanged(ids), { nonGuests: true })
  }
  const text = noticeTexts.archived(channel)
  edit.set({ is_archived: true })
  edit.emitProperty('is_archived', true)
  const deleted = { ...channelsDeleted([channel.id]), for_archiving: true as const }
  edit.emit(deleted, channelAudience(realm, edit.channel))
  // Users cannot reply in the channel, and many clients no longer show it.
  edit.notifyQuietly(text)
}

/** Unarchives a channel (level 388). Clients that do not know of archiving receive it as a new channel. */
export function unarchive(edit: ChannelEdit) {
  const { realm, channel } = edit
  if (!channel.is_archived) throw badRequest('Channel is not currently deactivated')
  if (channel.is_private && subscribersOf(realm, channel.id).length === 0) {
    throw badRequest('Channel is private and have no subscribers')
  }
  edit.set({ is_archived: false })
  edit.emitProperty('is_archived', false)
  emitToOldClients(edit, [...subscribersOf(realm, channel.id)])
  edit.notify(noticeTexts.unarchived(channel))
}

function emitToOldClients(edit: ChannelEdit, subscribers: number[]) {
  const { realm, channel } = edit
  const audience = channelAudience(realm, channel)
  const forOld = { for_unarchiving: true as const }
  const view = channelView(realm, channel)
  edit.emit({ ...channelCreated({ ...view, subscriber_count: 0 }), ...forOld }, audience)
  if (subscribers.length === 0) return
  edit.emit({ ...peersChanged('peer_add', [channel], subscribers), ...forOld }, audience)
  const own = subscribed([{ ...view, subscribers }], personalViews(realm, channel, subscribers))
  edit.emit({ ...own, ...forOld }, { users: subscribers })
}

/** Yields each subscriber with their personal view. Going through the rows of the channel is much faster than looking up each subscriber. */
function* personalViews(
  realm: RealmState,
  channel: ChannelRow,
  subscribers: number[],
): Iterable<[number, PersonalView[]]> {
  const ids = new Set(subscribers)
  for (const row of realm.subscriptionsOfChannel(channel.id)) {
    if (ids.has(row.user_id)) yield [row.user_id, [personalView(row)]]
  }
}
