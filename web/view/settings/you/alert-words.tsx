import { createSignal, For, Show } from 'solid-js'
import { post, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { Icon } from '../../parts/icon.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { AddForm } from '../parts/add-form.tsx'
import { Section } from '../parts/section.tsx'

/** Words of which the user is notified as if they were mentioned. */
export function AlertWords() {
  const [word, setWord] = createSignal('')
  const words = () => [...(field('alert_words') ?? [])].sort((a, b) => a.localeCompare(b))
  return (
    <Section note={t('alert_words.note')}>
      <AddForm
        submit={t('alert_words.add')}
        isLine
        isIncomplete={!word().trim()}
        run={async () => {
          await post('/users/me/alert_words', { alert_words: [word().trim()] })
          setWord('')
        }}
      >
        <label>
          {t('alert_words.word')}
          <input
            class="field"
            dir="auto"
            maxlength="100"
            value={word()}
            onInput={(event) => setWord(event.currentTarget.value)}
          />
        </label>
      </AddForm>
      <Show when={words().length > 0} fallback={<p class="set-note">{t('alert_words.none')}</p>}>
        <ul class="set-list">
          <For each={words()}>
            {(one) => (
              <li>
                <span dir="auto">{one}</span>
                <button
                  type="button"
                  class="icon-button"
                  aria-label={t('alert_words.remove', { word: one })}
                  onClick={() =>
                    void remove('/users/me/alert_words', { alert_words: [one] }).catch(noticeFailure)
                  }
                >
                  <Icon name="trash" />
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </Section>
  )
}
