import { onCleanup, onMount, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Conversation } from '../../lib/route.ts'
import { shortAge } from '../../lib/time.ts'
import { discardDraft, draftTo } from '../../store/drafts.ts'
import { now } from '../parts/clock.ts'
import { notice } from '../parts/notices.tsx'

/** Says that the text was written earlier or elsewhere, until the user touches it. */
export function DraftNote(props: { conversation: Conversation }) {
  const draft = () => {
    const found = draftTo(props.conversation)
    return found?.isRestored && found.content.trim() ? found : undefined
  }
  const discard = () => {
    const undo = discardDraft(props.conversation)
    notice(t('draft.discarded'), { offer: { label: t('notice.undo'), run: undo } })
  }
  onMount(() => {
    const onKey = (event: KeyboardEvent) => {
      const isDiscard = (event.ctrlKey || event.metaKey) && event.shiftKey && event.key === 'Backspace'
      if (!isDiscard || !draft()) return
      event.preventDefault()
      discard()
    }
    document.addEventListener('keydown', onKey)
    onCleanup(() => document.removeEventListener('keydown', onKey))
  })
  return (
    <Show when={draft()}>
      {(found) => (
        <p class="compose-note">
          <span>{t('draft.from', { date: shortAge(found().at, now()) })}</span>
          <button type="button" class="link-button" title="Ctrl+Shift+Backspace" onClick={discard}>
            {t('draft.discard')}
          </button>
        </p>
      )}
    </Show>
  )
}
