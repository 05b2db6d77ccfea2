import './picker.css'
import { createMemo, createResource, createSignal, For, onCleanup, onMount, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { allEmoji, type EmojiEntry, findEmoji, frequentEmoji, noteUsed } from '../../store/emoji.ts'
import { EmojiGlyph } from '../feed/reactions.tsx'
import { place } from '../parts/menu.tsx'

/** How many emoji stand in a row; the keys that go up and down rely on it. */
const columns = 8
/** How many are shown; the others are found by their names. */
const shownAtMost = 400

/** Lets the user choose an emoji: by name, by keys, or with the pointer. */
export function EmojiPicker(props: { anchor: Element; choose(emoji: EmojiEntry): void; close(): void }) {
  let element!: HTMLDivElement
  const choices = createChoices()
  const choose = (emoji: EmojiEntry | undefined) => {
    if (!emoji) return
    noteUsed(emoji)
    props.close()
    props.choose(emoji)
  }
  const onKeyDown = keysOf(choices, () => element, choose, props.close)
  onMount(() => {
    element.showPopover()
    place(element, props.anchor)
    element.querySelector('input')?.focus({ preventScroll: true })
  })
  onCleanup(() => element.hidePopover())
  return (
    <div
      ref={element}
      class="emoji-picker"
      popover="auto"
      role="dialog"
      aria-label={t('emoji.title')}
      onKeyDown={onKeyDown}
      onToggle={(event) => {
        if ((event as unknown as ToggleEvent).newState === 'closed') props.close()
      }}
    >
      <input
        class="field"
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="emoji-grid"
        aria-activedescendant={`emoji-${choices.at()}`}
        placeholder={t('emoji.search')}
        aria-label={t('emoji.search')}
        onInput={(event) => choices.find(event.currentTarget.value)}
      />
      <Grid choices={choices} choose={choose} />
      <p class="emoji-name">
        <Show when={choices.shown()[choices.at()]} fallback={choices.state()}>
          {(emoji) => `:${emoji().emoji_name}:`}
        </Show>
      </p>
    </div>
  )
}

type Choices = ReturnType<typeof createChoices>

/** The emoji that fit what is typed, the user's own favourites first, and which of them is chosen. */
function createChoices() {
  const [all] = createResource(allEmoji)
  const known = () => (all.error ? [] : (all() ?? []))
  const [words, setWords] = createSignal('')
  const [at, setAt] = createSignal(0)
  const frequent = createMemo(() => (words().trim() ? [] : frequentEmoji(known())))
  const found = createMemo(() => findEmoji(known(), words()).slice(0, shownAtMost))
  const shown = createMemo(() => [...frequent(), ...found()])
  const find = (text: string) => {
    setWords(text)
    setAt(0)
  }
  /** What there is to say when none is shown. */
  const state = () => t(all.error ? 'notice.unreachable' : all() ? 'emoji.none' : 'app.loading')
  return { shown, frequent, at, setAt, find, state }
}

function keysOf(
  choices: Choices,
  element: () => HTMLElement,
  choose: (emoji: EmojiEntry | undefined) => void,
  close: () => void,
) {
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  }
  return (event: KeyboardEvent) => {
    event.stopPropagation()
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      choices.setAt((now) => Math.max(0, Math.min(now + step, choices.shown().length - 1)))
      element().querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault()
      choose(choices.shown()[choices.at()])
    } else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      close()
    }
  }
}

function Grid(props: { choices: Choices; choose(emoji: EmojiEntry): void }) {
  const { shown, frequent, at, setAt } = props.choices
  return (
    <div id="emoji-grid" class="emoji-grid" role="listbox" aria-label={t('emoji.title')}>
      <For each={shown()}>
        {(emoji, index) => (
          <button
            type="button"
            id={`emoji-${index()}`}
            role="option"
            tabindex="-1"
            aria-selected={index() === at()}
            aria-label={emoji.emoji_name.replaceAll('_', ' ')}
            title={`:${emoji.emoji_name}:`}
            classList={{ first: index() === frequent().length && index() > 0 }}
            onMouseEnter={() => setAt(index())}
            onClick={() => props.choose(emoji)}
          >
            <EmojiGlyph emoji={emoji} />
          </button>
        )}
      </For>
    </div>
  )
}
