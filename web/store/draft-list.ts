import { type Accessor, createEffect, createMemo, createRoot } from 'solid-js'
import { ApiFailure, post, remove } from '../api/client.ts'
import { addressOf } from '../lib/draft-merge.ts'
import type { Conversation } from '../lib/route.ts'
import { setDraftCount } from './composing.ts'
import {
  addToDraft,
  discardDraft,
  draftTo,
  live,
  noteDropped,
  placeOf,
  savedDrafts,
  writeDraft,
} from './drafts.ts'
import { currentState } from './server-state.ts'

// The list of all drafts, and what can be done with one of them.

/** `key`: stays while the draft changes. */
export type ListedDraft = {
  key: string
  conversation: Conversation
  content: string
  at: number
  id?: number
}

/** All drafts, here and on the server, the newest first. */
export const allDrafts: Accessor<ListedDraft[]> = createRoot(() =>
  createMemo(() => {
    const here = Object.entries(live())
      .filter(([, { content }]) => content.trim() !== '')
      .map(([key, draft]) => ({ ...draft, key }))
    const linked = new Set(Object.values(live()).map(({ id }) => id))
    const others = savedDrafts()
      .filter(({ id }) => !linked.has(id))
      .map((draft) => ({
        key: `#${draft.id}`,
        conversation: placeOf(draft),
        content: draft.content,
        at: draft.timestamp,
        id: draft.id,
      }))
    return [...here, ...others].sort((a, b) => b.at - a.at)
  }),
)

createRoot(() => createEffect(() => setDraftCount(allDrafts().length)))

/** Makes a draft the text that is being written to its conversation; what was written there joins it. */
export function takeUp({ conversation, content, id }: ListedDraft) {
  const here = draftTo(conversation)
  if (here && here.id === id) return
  const before = here?.content.trimEnd() ?? ''
  writeDraft(conversation, before && before !== content ? `${before}\n\n${content}` : content)
  if (id !== undefined) void drop(id)
}

/** Deletes a draft; returns what brings it back: here alone if the server refuses it, as to a channel that the user has lost. */
export function deleteDraft(draft: ListedDraft): () => void {
  const { conversation, content, id, at } = draft
  const here = draftTo(conversation)
  if (here && here.id === id) return discardDraft(conversation)
  if (id === undefined) return () => {}
  const dropping = drop(id)
  const made = { ...addressOf(conversation, currentState().user_id), content, timestamp: at }
  return async () => {
    // Otherwise it is listed again already.
    if (await dropping)
      await post('/drafts', { drafts: [made] }).catch(() => addToDraft(conversation, content))
  }
}

/** Deletes a draft on the server, and returns whether it is gone. It is listed no longer: pressed again, it would be sent or taken up twice. */
async function drop(id: number): Promise<boolean> {
  noteDropped(id, true)
  try {
    await remove(`/drafts/${id}`)
    return true
  } catch (error) {
    noteDropped(id, false)
    return error instanceof ApiFailure && error.status === 404
  }
}
