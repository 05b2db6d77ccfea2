import type { EventType } from '../../../../queues/event-type.ts'

type DefaultStreamsEvent = { type: 'default_streams'; default_streams: number[] }

/** The channels that new users are subscribed to, as a whole. Guests are not told. */
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

  apply(state, event: DefaultStreamsEvent) {
    if (state.realm_default_streams) state.realm_default_streams = event.default_streams
  },
} satisfies EventType<DefaultStreamsEvent>
