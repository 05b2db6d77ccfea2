import './compose.css'
import { createEffect, on, onCleanup, Show } from 'solid-js'
import { onActions } from '../../lib/actions.ts'
import { visits } from '../../lib/router.ts'
import { beginDirect, beginning, beginTopic, stopBeginning } from '../../store/composing.ts'
import { lazyPart } from '../parts/lazy-part.tsx'

// Messages can be read before the box to write is there, so it is loaded behind the first view.

export const Composer = lazyPart(() => import('./composer.tsx'), 'Composer')
export const BeginBox = lazyPart(() => import('./begin.tsx'), 'BeginBox', stopBeginning)
export const TypingLine = lazyPart(() => import('./typing-line.tsx'), 'TypingLine')
export const OutgoingElsewhere = lazyPart(() => import('./outgoing-elsewhere.tsx'), 'OutgoingElsewhere')

/** The box for a new conversation, which can be opened in every view. */
export function Beginning() {
  onCleanup(onActions({ new_topic: () => beginTopic(), new_direct: () => beginDirect() }))
  // The text stays among the drafts.
  createEffect(on(visits, stopBeginning, { defer: true }))
  return (
    <Show when={beginning()} keyed>
      {(start) => <BeginBox start={start} close={stopBeginning} focus />}
    </Show>
  )
}
