import type { EventType } from '../../../queues/event-type.ts'
import { applySavedSnippets } from './saved_snippets.apply.ts'
import type { Snippet } from './snippets.ts'

type SnippetsEvent = { type: 'saved_snippets' } & (
  | { op: 'add' | 'update'; saved_snippet: Snippet }
  | { op: 'remove'; saved_snippet_id: number }
)

export function snippetChanged(op: 'add' | 'update', snippet: Snippet): SnippetsEvent {
  return { type: 'saved_snippets', op, saved_snippet: snippet }
}

export function snippetRemoved(id: number): SnippetsEvent {
  return { type: 'saved_snippets', op: 'remove', saved_snippet_id: id }
}

declare module '../../../log/entry.ts' {
  interface Events {
    saved_snippets: SnippetsEvent
  }
}

export const savedSnippetsEvent = {
  type: 'saved_snippets',

  apply: applySavedSnippets,
} satisfies EventType<SnippetsEvent>
