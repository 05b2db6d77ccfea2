import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { QueueOptions } from '../../../queues/queue.ts'

type Asked = { narrow: QueueOptions['narrow']; all_public_streams: boolean | undefined }

/**
 * Returns which messages a new queue receives. A bot's defaults apply where the request gives no value or an empty
 * narrow. A narrow only removes messages: a bot that may no longer read its channel receives nothing from it.
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
