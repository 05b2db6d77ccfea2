import type { EventType, Listener } from '../../../../queues/event-type.ts'
import { hasMetadataAccess } from '../../../kernel/channels/access.ts'
import type { ChannelView } from './channel-view.ts'
import { applyStream, type ChannelUpdate, type FurtherField } from './stream.apply.ts'

/**
 * A channel has been created, or has become visible to the listeners. With `for_unarchiving`, the event is for clients
 * that do not know of archiving (level 378).
 */
type Create = { type: 'stream'; op: 'create'; streams: ChannelView[]; for_unarchiving?: true }

/**
 * Channels are no longer visible to the listeners. `streams` repeats the ids for old clients. With `for_archiving`, the
 * event is for clients that do not know of archiving (level 378).
 */
type Delete = {
  type: 'stream'
  op: 'delete'
  streams: { stream_id: number }[]
  stream_ids: number[]
  for_archiving?: true
}

type StreamEvent = Create | Delete | ChannelUpdate

/** The fields that accompany a new description or privacy. */
export type Further = Pick<ChannelUpdate, FurtherField>

export function channelCreated(channel: ChannelView): Create {
  return { type: 'stream', op: 'create', streams: [channel] }
}

export function channelsDeleted(ids: number[]): Delete {
  return { type: 'stream', op: 'delete', streams: ids.map((stream_id) => ({ stream_id })), stream_ids: ids }
}

export function channelUpdated(
  channel: { id: number; name: string },
  property: string,
  value: unknown,
  further: Further = {},
): ChannelUpdate {
  return {
    type: 'stream',
    op: 'update',
    property,
    value,
    stream_id: channel.id,
    name: channel.name,
    ...further,
  }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    stream: StreamEvent
  }
}

export const streamEvent = {
  type: 'stream',

  // Clients that do not know of archiving receive no events about archived channels. A user whose role has changed since
  // the event may not know the channel.
  variant(event, listener) {
    const knowsArchiving = listener.queue.options.capabilities.archived_channels
    return isFor(event, knowsArchiving) && isVisible(event, listener) ? '' : null
  },

  wire(event): object {
    if (event.op === 'update') return event
    return { ...event, for_archiving: undefined, for_unarchiving: undefined }
  },

  apply: applyStream,
} satisfies EventType<StreamEvent>

/** Whether a listener may see a channel of the event, or need not see it to hear that it is gone. */
function isVisible(event: StreamEvent, { state, me }: Listener): boolean {
  if (event.op === 'delete') return true
  const ids = event.op === 'update' ? [event.stream_id] : event.streams.map(({ stream_id }) => stream_id)
  return ids.some((id) => {
    const channel = state.channels.get(id)
    return channel !== undefined && hasMetadataAccess(state, me, channel)
  })
}

function isFor(event: StreamEvent, knowsArchiving: boolean): boolean {
  switch (event.op) {
    case 'create':
      return event.for_unarchiving
        ? !knowsArchiving
        : knowsArchiving || event.streams.some((channel) => !channel.is_archived)
    case 'delete':
      return !(event.for_archiving && knowsArchiving)
    default:
      return knowsArchiving || event.property !== 'is_archived'
  }
}
