import type { EventType } from '../../../../queues/event-type.ts'
import { applyHasZoomToken } from './has_zoom_token.apply.ts'

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

  apply: applyHasZoomToken,
} satisfies EventType<HasZoomTokenEvent>
