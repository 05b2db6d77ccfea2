import type { ClientState } from '../../../queues/client-state.ts'

type Draft = { id: number }
type DraftEvent =
  | { op: 'add'; drafts: Draft[] }
  | { op: 'update'; draft: Draft }
  | { op: 'remove'; draft_id: number }

export function applyDrafts(state: ClientState, event: DraftEvent) {
  if (!state.drafts) return
  const without = (id: number) => state.drafts.filter((draft: Draft) => draft.id !== id)
  if (event.op === 'add') state.drafts = [...event.drafts, ...state.drafts]
  if (event.op === 'update') state.drafts = [event.draft, ...without(event.draft.id)]
  if (event.op === 'remove') state.drafts = without(event.draft_id)
}
