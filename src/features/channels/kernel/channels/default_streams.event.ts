import type { EventType } from '../../../../queues/event-type.ts'
import { applyDefaultStreams } from './default_streams.apply.ts'

type DefaultStreamsEvent = { type: 'default_streams'; default_streams: number[] }

/** Reports the complete list of default channels for new users. Guests do not receive it. */
export function defaultChannelsChanged(channelIds: number[]): DefaultStreamsEvent {
  return { type: 'default_streams', default_streams: channelIds }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    default_streams: DefaultStreamsEvent
  }
}

export const defaultStreamsEvent = {
  type: 'default_streams',

  apply: applyDefaultStreams,
} satisfies EventType<DefaultStreamsEvent>
