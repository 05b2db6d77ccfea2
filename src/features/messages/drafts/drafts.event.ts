import type { EventType } from '../../../queues/event-type.ts'
import { applyDrafts } from './drafts.apply.ts'
import type { Draft } from './drafts.ts'

type DraftsEvent = { type: 'drafts' } & (
  | { op: 'add'; drafts: Draft[] }
  | { op: 'update'; draft: Draft }
  | { op: 'remove'; draft_id: number }
)

export function draftsAdded(drafts: Draft[]): DraftsEvent {
  return { type: 'drafts', op: 'add', drafts }
}

export function draftUpdated(draft: Draft): DraftsEvent {
  return { type: 'drafts', op: 'update', draft }
}

export function draftRemoved(id: number): DraftsEvent {
  return { type: 'drafts', op: 'remove', draft_id: id }
}

declare module '../../../log/entry.ts' {
  interface Events {
    drafts: DraftsEvent
  }
}

export const draftsEvent = {
  type: 'drafts',

  apply: applyDrafts,
} satisfies EventType<DraftsEvent>
