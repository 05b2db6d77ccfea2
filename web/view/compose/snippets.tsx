import { createSignal, For, Show } from 'solid-js'
import { post, remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { field } from '../../store/server-state.ts'
import type { SavedSnippet } from '../../store/server-state-types.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'

/** Texts that the user keeps to use again. */
export function Snippets(props: { close(): void; text: string; insert(text: string): void }) {
  const [words, setWords] = createSignal('')
  const shown = () =>
    [...(field('saved_snippets') ?? [])]
      .filter(({ title, content }) => `${title} ${content}`.toLowerCase().includes(words().toLowerCase()))
      .sort((a, b) => a.title.localeCompare(b.title))
  return (
    <Dialog title={t('snippets.title')} close={() => props.close()} class="snippets">
      <Show
        when={(field('saved_snippets') ?? []).length > 0}
        fallback={<p class="compose-hint">{t('snippets.empty')}</p>}
      >
        <input
          class="field"
          type="search"
          autofocus
          placeholder={t('snippets.find')}
          aria-label={t('snippets.find')}
          value={words()}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <ul class="plain-list">
          <For each={shown()}>
            {(snippet) => (
              <li>
                <button
                  type="button"
                  class="list-button"
                  onClick={() => {
                    props.close()
                    props.insert(snippet.content)
                  }}
                >
                  <strong dir="auto">{snippet.title}</strong>
                  <span dir="auto">{snippet.content.slice(0, 120)}</span>
                </button>
                <button
                  type="button"
                  class="icon-button"
                  title={t('snippets.delete')}
                  aria-label={`${t('snippets.delete')}: ${snippet.title}`}
                  onClick={() => void deleteSnippet(snippet)}
                >
                  <Icon name="trash" />
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <NewSnippet text={props.text} />
    </Dialog>
  )
}

function NewSnippet(props: { text: string }) {
  const [title, setTitle] = createSignal('')
  const [content, setContent] = createSignal(props.text)
  return (
    <form
      class="snippet-form"
      onSubmit={(event) => {
        event.preventDefault()
        void create({ title: title().trim(), content: content() })
          .then(() => {
            setTitle('')
            setContent('')
          })
          .catch(noticeFailure)
      }}
    >
      <h3>{t('snippets.new')}</h3>
      <label class="stacked">
        {t('snippets.name')}
        <input
          class="field"
          required
          maxlength="60"
          value={title()}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      <label class="stacked">
        {t('snippets.text')}
        <textarea
          class="field"
          rows="3"
          required
          value={content()}
          onInput={(event) => setContent(event.currentTarget.value)}
        />
      </label>
      <div class="panel-actions">
        <button type="submit" class="button primary" disabled={!title().trim() || !content().trim()}>
          {t('message.save')}
        </button>
      </div>
    </form>
  )
}

function create(snippet: { title: string; content: string }) {
  return post('/saved_snippets', snippet)
}

async function deleteSnippet({ id, title, content }: SavedSnippet) {
  try {
    await remove(`/saved_snippets/${id}`)
    const undo = () => void create({ title, content }).catch(noticeFailure)
    notice(t('snippets.deleted', { name: title }), { offer: { label: t('notice.undo'), run: undo } })
  } catch (error) {
    noticeFailure(error)
  }
}
