import { For, onCleanup } from 'solid-js'
import { post } from '../../api/client.ts'
import { type TextKey, t } from '../../lib/i18n.ts'
import type { Action } from '../../lib/keys.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { type Hint, keyOf, stepsLeft } from './hint-table.ts'

/** A hint with its buttons. It takes no focus; if it goes with the focus on it, the view gets that. */
export function HintCard(props: { hint: Hint }) {
  let card!: HTMLDivElement
  const sentences = () => props.hint.says.filter(([, ...actions]) => actions.every(keyOf))
  onCleanup(() => {
    if (card.contains(document.activeElement)) document.getElementById('main')?.focus()
  })
  return (
    <div ref={card} class="hint" role="note" aria-label={t('hints.label')}>
      <For each={sentences()}>{([text, ...actions]) => <Sentence text={text} actions={actions} />}</For>
      <div class="hint-buttons">
        <ActionButton run={() => markSeen([props.hint.step])}>{t('hints.read')}</ActionButton>
        <ActionButton class="hint-end" run={() => markSeen(stepsLeft())}>
          {t('hints.end')}
        </ActionButton>
      </div>
    </div>
  )
}

function Sentence(props: { text: TextKey; actions: Action[] }) {
  // Each key stands between two line ends, which no text has otherwise.
  const keys = () => Object.fromEntries(props.actions.map((action) => [action, `\n${keyOf(action)}\n`]))
  return (
    <p>
      <For each={t(props.text, keys()).split('\n')}>
        {(part, index) => (index() % 2 === 1 ? <kbd>{part}</kbd> : part)}
      </For>
    </p>
  )
}

/** The event that follows takes the hint away, in all tabs. */
function markSeen(steps: string[]) {
  return Promise.all(steps.map((step) => post('/users/me/onboarding_steps', { onboarding_step: step })))
}
