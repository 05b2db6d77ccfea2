import { createSignal, For, Show } from 'solid-js'
import { patch, post, remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { field } from '../../store/server-state.ts'
import type { SavedSnippet } from '../../store/server-state-types.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { Icon } from '../parts/icon.tsx'
import { keepFocus } from '../parts/keep-focus.ts'
import { notice, noticeFailure } from '../parts/notices.tsx'

/** Texts that the user keeps to use again. */
export function Snippets(props: { close(): void; text: string; insert(text: string): void }) {
  const all = () => field('saved_snippets') ?? []
  // What is being changed, a new one from the start if there are none.
  const [edited, setEdited] = createSignal<Edited | undefined>(all().length === 0 ? fresh() : undefined)
  function fresh(): Edited {
    return { title: '', content: props.text }
  }
  const use = (snippet: SavedSnippet) => {
    props.close()
    props.insert(snippet.content)
  }
  return (
    <Dialog title={t('snippets.title')} close={() => props.close()} class="snippets">
      <Show
        when={edited()}
        keyed
        fallback={
          <>
            <SnippetList use={use} edit={setEdited} />
            <button type="button" class="button" onClick={() => setEdited(fresh())}>
              <Icon name="plus" />
              {t('snippets.new')}
            </button>
          </>
        }
      >
        {(snippet) => (
          <>
            <Show when={all().length === 0}>
              <p class="compose-hint">{t('snippets.empty')}</p>
            </Show>
            <SnippetForm snippet={snippet} done={() => setEdited(undefined)} />
          </>
        )}
      </Show>
    </Dialog>
  )
}

export type Edited = { id?: number; title: string; content: string }

export function SnippetList(props: { use(snippet: SavedSnippet): void; edit(snippet: SavedSnippet): void }) {
  const [words, setWords] = createSignal('')
  const shown = () =>
    [...(field('saved_snippets') ?? [])]
      .filter(({ title, content }) => `${title} ${content}`.toLowerCase().includes(words().toLowerCase()))
      .sort((a, b) => a.title.localeCompare(b.title))
  return (
    <>
      <input
        class="field"
        type="search"
        autofocus
        placeholder={t('snippets.find')}
        aria-label={t('snippets.find')}
        value={words()}
        onInput={(event) => setWords(event.currentTarget.value)}
        onKeyDown={(event) => {
          const [first] = shown()
          if (event.key !== 'Enter' || event.isComposing || !first) return
          event.preventDefault()
          props.use(first)
        }}
      />
      <ul class="plain-list">
        <For each={shown()}>
          {(snippet) => <SnippetRow snippet={snippet} use={props.use} edit={props.edit} />}
        </For>
      </ul>
    </>
  )
}

function SnippetRow(props: {
  snippet: SavedSnippet
  use(snippet: SavedSnippet): void
  edit(snippet: SavedSnippet): void
}) {
  const named = (act: string) => `${act}: ${props.snippet.title}`
  return (
    <li ref={keepFocus}>
      <button type="button" class="list-button" onClick={() => props.use(props.snippet)}>
        <strong dir="auto">{props.snippet.title}</strong>
        <span dir="auto">{props.snippet.content.slice(0, 120)}</span>
      </button>
      <button
        type="button"
        class="icon-button"
        title={t('snippets.edit')}
        aria-label={named(t('snippets.edit'))}
        onClick={() => props.edit(props.snippet)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        class="icon-button"
        title={t('snippets.delete')}
        aria-label={named(t('snippets.delete'))}
        onClick={() => void deleteSnippet(props.snippet)}
      >
        <Icon name="trash" />
      </button>
    </li>
  )
}

export function SnippetForm(props: { snippet: Edited; done(): void }) {
  const [title, setTitle] = createSignal(props.snippet.title)
  const [content, setContent] = createSignal(props.snippet.content)
  const save = () => {
    const { id } = props.snippet
    const snippet = { title: title().trim(), content: content() }
    return id === undefined ? create(snippet) : patch(`/saved_snippets/${id}`, snippet)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save().then(props.done).catch(noticeFailure)
      }}
    >
      <label class="stacked">
        {t('snippets.name')}
        <input
          class="field"
          required
          autofocus
          maxlength="60"
          value={title()}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      <label class="stacked">
        {t('snippets.text')}
        <textarea
          class="field"
          rows="6"
          required
          value={content()}
          onInput={(event) => setContent(event.currentTarget.value)}
        />
      </label>
      <div class="panel-actions">
        <button type="button" class="button" onClick={() => props.done()}>
          {t('message.cancel')}
        </button>
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
