import { createSignal, createUniqueId, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Conversation } from '../../lib/route.ts'
import { type Token, tokenAt } from '../../lib/typeahead-token.ts'
import { Icon } from '../parts/icon.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import { applyEdit } from './area.ts'
import { fitAbove } from './fit-above.ts'
import type { Suggestion } from './suggest.ts'

type Options = {
  area(): HTMLTextAreaElement
  conversation(): Conversation
}

type Typeahead = ReturnType<typeof createTypeahead>

/** Suggests how to complete what is being typed. */
export function createTypeahead(options: Options) {
  const { area } = options
  const listId = createUniqueId()
  const { items, active, setActive, token, update, hide, dismiss } = createFinder(options)

  function accept(index: number, change = (insert: string) => insert) {
    const chosen = items()[index]
    const from = token()?.from
    if (!chosen || from === undefined) return
    const insert = change(chosen.insert)
    const to = area().selectionStart
    hide()
    const block = insert.indexOf('\n\n')
    const at = from + (block >= 0 ? block + 1 : insert.length)
    applyEdit(area(), { from, to, insert, start: at, end: at })
  }

  /** Returns whether the key was for the list. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (items().length === 0 || event.ctrlKey || event.metaKey || event.altKey) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((at) => (at + step + items().length) % items().length)
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') accept(active())
    else if (event.key === '>' && token()?.kind === 'channel' && token()?.query) {
      // "#desi>" goes on with the channel's topics.
      accept(active(), (insert) => insert.replace(/\*\* $/, '>'))
    } else if (event.key === 'Escape') dismiss()
    else return false
    event.preventDefault()
    return true
  }

  return {
    listId,
    items,
    active,
    setActive,
    update: () => void update().catch(noticeFailure),
    hide,
    accept: (index: number) => accept(index),
    onKeyDown,
  }
}

/** Finds the suggestions for the word at the cursor. The parts that search are loaded when they are first needed. */
function createFinder({ area, conversation }: Options) {
  const [items, setItems] = createSignal<Suggestion[]>([])
  const [active, setActive] = createSignal(0)
  let token: Token | undefined
  /** The start of the token whose suggestions the user has closed. */
  let closedAt: number | undefined
  let round = 0
  let suggest: typeof import('./suggest.ts').suggest | undefined

  async function update() {
    const { value, selectionStart, selectionEnd } = area()
    const found = selectionStart === selectionEnd ? tokenAt(value, selectionStart) : undefined
    if (found?.from !== closedAt) closedAt = undefined
    if (!found || closedAt !== undefined) return hide()
    const mine = ++round
    // The next key may take from the list, so it never shows what fitted an earlier text: a known answer comes immediately.
    if (token?.kind !== found.kind) setItems([])
    token = found
    suggest ??= (await import('./suggest.ts')).suggest
    if (mine !== round) return
    const next = suggest(found, conversation())
    const list = next instanceof Promise ? await next : next
    if (mine !== round) return
    // The rows of what is suggested again stay.
    const known = new Map(items().map((one) => [keyOf(one), one]))
    setItems(list.map((one) => known.get(keyOf(one)) ?? one))
    setActive(0)
  }

  function hide() {
    round++
    token = undefined
    if (items().length > 0) setItems([])
  }

  /** Hides the list until another word is typed. */
  function dismiss() {
    closedAt = token?.from
    hide()
  }

  return { items, active, setActive, token: () => token, update, hide, dismiss }
}

function keyOf({ label, note, insert, image }: Suggestion) {
  return [label, note, insert, image].join('\n')
}

/** The list, above the text. The focus stays in the text, and `aria-activedescendant` says which row is chosen. */
export function Suggestions(props: { typeahead: Typeahead; fit?: typeof fitAbove }) {
  const list = props.typeahead
  return (
    <>
      <Show when={list.items().length > 0}>
        <div
          ref={(element) => (props.fit ?? fitAbove)(element, () => [list.items(), list.active()])}
          class="suggestions"
          id={list.listId}
          role="listbox"
          aria-label={t('suggest.label')}
        >
          <For each={list.items()}>
            {(one, index) => (
              <button
                type="button"
                id={`${list.listId}-${index()}`}
                role="option"
                tabindex="-1"
                aria-selected={list.active() === index()}
                onMouseMove={() => list.setActive(index())}
                onMouseDown={(event) => {
                  event.preventDefault()
                  list.accept(index())
                }}
              >
                <Sign suggestion={one} />
                <span class="suggestion-label" dir="auto">
                  {one.label}
                </span>
                <span class="suggestion-note" dir="auto">
                  {one.note}
                </span>
              </button>
            )}
          </For>
        </div>
      </Show>
      <span class="visually-hidden" role="status">
        {list.items().length > 0 ? t('suggest.count', { count: list.items().length }) : ''}
      </span>
    </>
  )
}

function Sign(props: { suggestion: Suggestion }) {
  return (
    <span class="suggestion-sign" aria-hidden="true">
      <Show when={props.suggestion.image}>{(image) => <img src={image()} alt="" />}</Show>
      <Show when={props.suggestion.icon}>{(icon) => <Icon name={icon()} />}</Show>
      {props.suggestion.glyph}
    </span>
  )
}
