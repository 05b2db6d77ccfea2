import { createSignal, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { type Edited, SnippetForm, SnippetList } from '../../compose/snippets.tsx'
import { Section } from '../parts/section.tsx'

/** Texts that the user keeps to use again; they are used beside the box in which messages are written. */
export function SavedSnippets() {
  const [edited, setEdited] = createSignal<Edited>()
  return (
    <Section note={t('snippets.settings_note')}>
      <Show
        when={edited()}
        keyed
        fallback={
          <div>
            <SnippetList use={setEdited} edit={setEdited} />
            <button type="button" class="button" onClick={() => setEdited({ title: '', content: '' })}>
              {t('snippets.new')}
            </button>
          </div>
        }
      >
        {(snippet) => <SnippetForm snippet={snippet} done={() => setEdited(undefined)} />}
      </Show>
    </Section>
  )
}
