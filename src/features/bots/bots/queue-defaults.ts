import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { QueueOptions } from '../../../queues/queue.ts'

type Asked = { narrow: QueueOptions['narrow']; all_public_streams: boolean | undefined }

/**
 * Which messages a new queue is for: where the request leaves it open, a bot's defaults decide. An empty narrow leaves
 * it open, too. The narrow only leaves out: a bot that may no longer read its channel gets nothing from there.
 */
export function messagesForQueue(
  realm: RealmState,
  me: AccountRow,
  { narrow, all_public_streams }: Asked,
): Pick<QueueOptions, 'narrow' | 'allPublicChannels'> {
  const channel = me.default_events_channel_id && realm.channels.get(me.default_events_channel_id)
  return {
    narrow: narrow.length === 0 && channel ? [['channel', channel.name]] : narrow,
    allPublicChannels: all_public_streams ?? me.default_all_public_channels,
  }
}
