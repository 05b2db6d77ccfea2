import type { ClientState, EventType } from '../../../../queues/event-type.ts'

type HasZoomTokenEvent = { type: 'has_zoom_token'; value: boolean }

export function hasZoomToken(value: boolean): HasZoomTokenEvent {
  return { type: 'has_zoom_token', value }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    has_zoom_token: HasZoomTokenEvent
  }
}

/** Whether the current user may create calls on Zoom, or must first allow that at Zoom. */
export const hasZoomTokenEvent = {
  type: 'has_zoom_token',

  apply(state: ClientState, { value }: HasZoomTokenEvent) {
    if ('has_zoom_token' in state) state.has_zoom_token = value
  },
} satisfies EventType<HasZoomTokenEvent>
