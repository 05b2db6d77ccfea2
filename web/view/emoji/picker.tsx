import './picker.css'
import {
  createEffect,
  createMemo,
  createResource,
  createSignal,
  For,
  on,
  onCleanup,
  onMount,
  Show,
} from 'solid-js'
import { emojiGroups, indexBeside, placeOfEmoji } from '../../lib/emoji-groups.ts'
import { t } from '../../lib/i18n.ts'
import {
  type EmojiEntry,
  findEmoji,
  frequentEmoji,
  noteUsed,
  ownEmoji,
  standardEmoji,
} from '../../store/emoji.ts'
import { EmojiGlyph } from '../feed/reactions.tsx'
import { focusFirst, isElsewhere } from '../parts/focus.ts'
import { place } from '../parts/menu.tsx'
import { valueIn } from '../parts/value-in.ts'

/** How many emoji stand in a row; the keys that go up and down rely on it. */
const columns = 8
/** How many of those that fit are shown: the first letter of a name fits most of them. */
const foundAtMost = 400

/** Emoji under a title; none for those that were found. */
type Group = { title?: string; emoji: EmojiEntry[] }

/** Lets the user choose an emoji: by name, by keys, or with the pointer. */
export function EmojiPicker(props: {
  anchor: Element
  at: DOMRect
  before: Element[]
  choose(emoji: EmojiEntry): void
  close(): void
}) {
  let element!: HTMLDivElement
  const choices = createChoices()
  const close = () => {
    props.close()
    focusFirst(props.before)
  }
  const choose = (emoji: EmojiEntry | undefined) => {
    if (!emoji) return
    noteUsed(emoji)
    close()
    props.choose(emoji)
  }
  onMount(() => {
    // It may have loaded slowly, and the user may have gone on.
    if (isElsewhere(props.anchor)) return props.close()
    element.showPopover()
    place(element, props.at)
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
      onKeyDown={keysOf(choices, () => element, choose, close)}
      onToggle={(event) => {
        if ((event as unknown as ToggleEvent).newState === 'closed') props.close()
      }}
    >
      <SearchField choices={choices} />
      <Grid choices={choices} choose={choose} />
      <p class="emoji-name">
        <Show when={choices.shown()[choices.at()]} fallback={choices.state()}>
          {(emoji) => <>:{emoji().emoji_name}:</>}
        </Show>
      </p>
    </div>
  )
}

function SearchField(props: { choices: Choices }) {
  return (
    <input
      class="field"
      type="search"
      role="combobox"
      aria-expanded="true"
      aria-controls="emoji-grid"
      aria-activedescendant={`emoji-${props.choices.at()}`}
      placeholder={t('emoji.search')}
      aria-label={t('emoji.search')}
      onInput={(event) => props.choices.find(event.currentTarget.value)}
    />
  )
}

type Choices = ReturnType<typeof createChoices>

/** The emoji that fit what is typed, the user's own favorites first, and which of them is chosen. */
function createChoices() {
  const [standard] = createResource(standardEmoji)
  const known = createMemo(() => {
    const loaded = valueIn(standard)
    return loaded ? [...ownEmoji(), ...loaded] : []
  })
  const [words, setWords] = createSignal('')
  const [at, setAt] = createSignal(0)
  const groups = createMemo((): Group[] =>
    words().trim() ? [{ emoji: findEmoji(known(), words()).slice(0, foundAtMost) }] : inGroups(known()),
  )
  const shown = createMemo(() => groups().flatMap(({ emoji }) => emoji))
  const sizes = createMemo(() => groups().map(({ emoji }) => emoji.length))
  // The organization adds and removes emoji meanwhile.
  createEffect(on(shown, (now, before = now) => setAt((place) => placeAfter(place, before, now))))
  const find = (text: string) => {
    setWords(text)
    setAt(0)
  }
  /** The text if no emoji is shown. */
  const state = () => t(standard.error ? 'notice.unreachable' : standard() ? 'emoji.none' : 'app.loading')
  return { groups, shown, sizes, at, setAt, find, state }
}

/** Returns the new index of the emoji that was chosen at an index. A favorite of the user is also among the others. */
function placeAfter(place: number, before: EmojiEntry[], now: EmojiEntry[]): number {
  const chosen = before[place]
  if (!chosen || now[place] === chosen) return place
  const found = before.indexOf(chosen) === place ? now.indexOf(chosen) : now.lastIndexOf(chosen)
  return found < 0 ? Math.max(0, Math.min(place, now.length - 1)) : found
}

/** The user's favorites first, then the organization's own emoji, then the others by what they show. */
function inGroups(all: EmojiEntry[]): Group[] {
  const placed = all.map((emoji) => ({
    emoji,
    ...(emoji.reaction_type === 'unicode_emoji'
      ? placeOfEmoji(emoji.emoji_code)
      : { group: 'own' as const, place: 0 }),
  }))
  placed.sort((a, b) => a.place - b.place)
  const groups = emojiGroups.map((name) => ({
    title: t(`emoji.group_${name}`),
    emoji: placed.filter(({ group }) => group === name).map(({ emoji }) => emoji),
  }))
  const frequent = { title: t('emoji.group_frequent'), emoji: frequentEmoji(all) }
  return [frequent, ...groups].filter(({ emoji }) => emoji.length > 0)
}

function keysOf(
  choices: Choices,
  element: () => HTMLElement,
  choose: (emoji: EmojiEntry | undefined) => void,
  close: () => void,
) {
  const forward = document.documentElement.dir === 'rtl' ? -1 : 1
  const steps: Record<string, (at: number) => number> = {
    ArrowRight: (at) => at + forward,
    ArrowLeft: (at) => at - forward,
    ArrowDown: (at) => indexBeside(choices.sizes(), at, columns, 1),
    ArrowUp: (at) => indexBeside(choices.sizes(), at, columns, -1),
  }
  return (event: KeyboardEvent) => {
    event.stopPropagation()
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      choices.setAt((now) => Math.max(0, Math.min(step(now), choices.shown().length - 1)))
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
  const { groups, sizes } = props.choices
  const byTitle = createMemo(() => new Map(groups().map(({ title, emoji }) => [title, emoji])))
  const startOf = (group: number) =>
    sizes()
      .slice(0, group)
      .reduce((sum, size) => sum + size, 0)
  return (
    <div id="emoji-grid" class="emoji-grid" role="listbox" aria-label={t('emoji.title')}>
      {/* By titles: the first emoji that the organization adds brings a group, and the others stay. */}
      <For each={[...byTitle().keys()]}>
        {(title, at) => (
          <fieldset class="emoji-group" aria-label={title}>
            <Show when={title}>
              <span class="emoji-group-name" aria-hidden="true">
                {title}
              </span>
            </Show>
            <For each={byTitle().get(title)}>
              {(emoji, index) => (
                <Choice
                  emoji={emoji}
                  index={startOf(at()) + index()}
                  choices={props.choices}
                  choose={props.choose}
                />
              )}
            </For>
          </fieldset>
        )}
      </For>
    </div>
  )
}

function Choice(props: {
  emoji: EmojiEntry
  index: number
  choices: Choices
  choose(emoji: EmojiEntry): void
}) {
  return (
    <button
      type="button"
      id={`emoji-${props.index}`}
      role="option"
      tabindex="-1"
      aria-selected={props.index === props.choices.at()}
      aria-label={props.emoji.emoji_name.replaceAll('_', ' ')}
      title={`:${props.emoji.emoji_name}:`}
      onMouseMove={() => props.choices.setAt(props.index)}
      onClick={() => props.choose(props.emoji)}
    >
      <EmojiGlyph emoji={props.emoji} />
    </button>
  )
}
