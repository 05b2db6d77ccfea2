import './compose.css'
import { createEffect, lazy, on, onCleanup, Show } from 'solid-js'
import { onActions } from '../../lib/actions.ts'
import { route } from '../../lib/router.ts'
import { beginDirect, beginning, beginTopic, stopBeginning } from '../../store/composing.ts'

// Messages can be read before the box to write is there, so it is loaded behind the first view.

export const Composer = lazy(() => import('./composer.tsx').then((made) => ({ default: made.Composer })))
export const BeginBox = lazy(() => import('./begin.tsx').then((made) => ({ default: made.BeginBox })))
export const TypingLine = lazy(() =>
  import('./typing-line.tsx').then((made) => ({ default: made.TypingLine })),
)
export const OutgoingElsewhere = lazy(() =>
  import('./outgoing-elsewhere.tsx').then((made) => ({ default: made.OutgoingElsewhere })),
)

/** The box for a new conversation, which can be opened in every view. */
export function Beginning() {
  onCleanup(onActions({ new_topic: () => beginTopic(), new_direct: () => beginDirect() }))
  // The text stays among the drafts.
  createEffect(on(route, stopBeginning, { defer: true }))
  return (
    <Show when={beginning()} keyed>
      {(start) => <BeginBox start={start} close={stopBeginning} focus />}
    </Show>
  )
}
