import type { ClientState, EventType } from '../../../queues/event-type.ts'
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

  apply(state: ClientState, event: DraftsEvent) {
    if (!state.drafts) return
    const without = (id: number) => state.drafts.filter((draft: Draft) => draft.id !== id)
    if (event.op === 'add') state.drafts = [...event.drafts, ...state.drafts]
    if (event.op === 'update') state.drafts = [event.draft, ...without(event.draft.id)]
    if (event.op === 'remove') state.drafts = without(event.draft_id)
  },
} satisfies EventType<DraftsEvent>
