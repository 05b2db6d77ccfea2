import { createEffect, createMemo, createSignal, For, on, Show } from 'solid-js'
import { patch, postOnce, remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { inOrder } from '../../lib/in-order.ts'
import { byId } from '../../store/by-id.ts'
import { field } from '../../store/server-state.ts'
import type { SavedSnippet } from '../../store/server-state-types.ts'
import { IconButton } from '../parts/action-button.tsx'
import { Dialog } from '../parts/dialog-panel.tsx'
import { TextInput } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { keepFocus } from '../parts/keep-focus.ts'
import { Known } from '../parts/known.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'

const snippets = byId(() => field('saved_snippets'))

/** Texts that the user keeps to use again. */
export function Snippets(props: { close(): void; text: string; insert(text: string): void }) {
  const use = (snippet: SavedSnippet) => {
    props.close()
    props.insert(snippet.content)
  }
  return (
    <Dialog title={t('snippets.title')} close={() => props.close()} class="snippets">
      <SnippetEditor text={props.text} use={use} />
    </Dialog>
  )
}

type Edited = { id?: number; title: string; content: string }

/** The list of snippets, or the form of one that is being written. `text`: what a new one begins with. */
export function SnippetEditor(props: { text: string; use?(snippet: SavedSnippet): void }) {
  let box!: HTMLDivElement
  const isEmpty = () => (field('saved_snippets') ?? []).length === 0
  const fresh = () => ({ title: '', content: props.text })
  // If the user has no snippets yet, the form for a new one opens.
  const [edited, setEdited] = createSignal<Edited | undefined>(props.use && isEmpty() ? fresh() : undefined)
  // The list and the form take the place of each other, and with it the focus.
  createEffect(on(edited, () => box.querySelector<HTMLElement>('[autofocus]')?.focus(), { defer: true }))
  return (
    <div ref={box}>
      <Show
        when={edited()}
        keyed
        fallback={
          <>
            <SnippetList use={(snippet) => (props.use ?? setEdited)(snippet)} edit={setEdited} />
            <button type="button" class="button" onClick={() => setEdited(fresh())}>
              <Icon name="plus" />
              {t('snippets.new')}
            </button>
          </>
        }
      >
        {(snippet) => (
          <>
            <Show when={props.use && isEmpty()}>
              <p class="compose-hint">{t('snippets.empty')}</p>
            </Show>
            <SnippetForm snippet={snippet} done={() => setEdited(undefined)} />
          </>
        )}
      </Show>
    </div>
  )
}

function SnippetList(props: { use(snippet: SavedSnippet): void; edit(snippet: SavedSnippet): void }) {
  const [words, setWords] = createSignal('')
  const shown = createMemo(() =>
    [...snippets().values()]
      .filter(({ title, content }) => `${title} ${content}`.toLowerCase().includes(words().toLowerCase()))
      .sort((a, b) => inOrder(a.title, b.title)),
  )
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
      <Show when={shown().length === 0}>
        <p class="compose-hint">{t(words() ? 'table.nothing' : 'snippets.none')}</p>
      </Show>
      <ul class="plain-list">
        {/* By ids: a row keeps the focus while its snippet is changed. */}
        <For each={shown().map(({ id }) => id)}>
          {(id) => (
            <Known thing={snippets().get(id)}>
              {(snippet) => <SnippetRow snippet={snippet()} use={props.use} edit={props.edit} />}
            </Known>
          )}
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
      <IconButton icon="edit" label={named(t('snippets.edit'))} run={() => props.edit(props.snippet)} />
      <IconButton icon="trash" label={named(t('snippets.delete'))} run={() => deleteSnippet(props.snippet)} />
    </li>
  )
}

function SnippetForm(props: { snippet: Edited; done(): void }) {
  const [title, setTitle] = createSignal(props.snippet.title)
  const [content, setContent] = createSignal(props.snippet.content)
  const save = async () => {
    const { id } = props.snippet
    const snippet = { title: title().trim(), content: content() }
    await (id === undefined ? create(snippet) : patch(`/saved_snippets/${id}`, snippet))
    props.done()
  }
  return (
    <Form
      submit={t('message.save')}
      isIncomplete={!title().trim() || !content().trim()}
      close={props.done}
      run={save}
    >
      <TextInput label={t('snippets.name')} value={title()} set={setTitle} max={60} isFirst isRequired />
      <TextInput label={t('snippets.text')} value={content()} set={setContent} lines={6} isRequired />
    </Form>
  )
}

function create(snippet: { title: string; content: string }) {
  return postOnce('/saved_snippets', snippet)
}

async function deleteSnippet({ id, title, content }: SavedSnippet) {
  await remove(`/saved_snippets/${id}`)
  const undo = () => void create({ title, content }).catch(noticeFailure)
  notice(t('snippets.deleted', { name: title }), { offer: { label: t('notice.undo'), run: undo } })
}
