import type { ClientState } from '../../../queues/client-state.ts'

type Snippet = { id: number }
type SnippetEvent =
  | { op: 'add' | 'update'; saved_snippet: Snippet }
  | { op: 'remove'; saved_snippet_id: number }

export function applySavedSnippets(state: ClientState, event: SnippetEvent) {
  if (!state.saved_snippets) return
  const id = event.op === 'remove' ? event.saved_snippet_id : event.saved_snippet.id
  const others = state.saved_snippets.filter((snippet: Snippet) => snippet.id !== id)
  state.saved_snippets = event.op === 'remove' ? others : [...others, event.saved_snippet]
}
