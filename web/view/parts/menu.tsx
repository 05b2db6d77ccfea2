import './overlays.css'
import { createRoot, createSignal, For, onCleanup, onMount, Show } from 'solid-js'
import { focusFirst, isElsewhere, wayBack } from './focus.ts'
import { Icon, type IconName } from './icon.tsx'
import { noticeFailure } from './notices.tsx'

export type MenuEntry =
  | {
      label: string
      icon?: IconName
      /** The shortcut that does the same. */
      keys?: string
      /** A fact beside the label, such as how long the action is still allowed. */
      note?: string
      isDangerous?: boolean
      /** Makes it one of a group of choices. */
      isChecked?: boolean
      run(): void
    }
  | 'line'

/** `before`: where the focus returns to, as the anchor may go while the pointer is on the menu. */
type Open = { anchor: Element; before: Element[]; label: string; entries: MenuEntry[] }

const [open, setOpen] = createRoot(() => createSignal<Open>())

/**
 * Opens a menu beside an element, which gets the focus back. Once its entries are loaded, the element may have gone, or the
 * user may be elsewhere.
 */
export function openMenu(
  anchor: Element,
  label: string,
  entries: Promise<(MenuEntry | false | undefined)[]>,
) {
  const before = document.activeElement
  const show = (loaded: (MenuEntry | false | undefined)[]) => {
    if (!anchor.isConnected || (document.activeElement !== before && isElsewhere(anchor))) return
    setOpen(undefined)
    setOpen({ anchor, before: wayBack(anchor), label, entries: tidy(loaded) })
  }
  entries.then(show).catch(noticeFailure)
}

/** Leaves out what is not offered, and lines without anything on one side. */
function tidy(entries: (MenuEntry | false | undefined)[]): MenuEntry[] {
  const offered = entries.filter((one) => one !== false && one !== undefined)
  return offered.filter((one, index) => {
    const isLast = offered.slice(index + 1).every((other) => other === 'line')
    return one !== 'line' || (index > 0 && offered[index - 1] !== 'line' && !isLast)
  })
}

export const closeMenu = () => setOpen(undefined)

/** The place of the open menu, once in the page. */
export function Menus() {
  return (
    <Show when={open()} keyed>
      {(one) => <Menu {...one} />}
    </Show>
  )
}

function Menu(props: Open) {
  let element!: HTMLDivElement
  onMount(() => {
    element.showPopover()
    place(element, props.anchor.getBoundingClientRect())
    items(element)[0]?.focus({ preventScroll: true })
  })
  onCleanup(() => element.hidePopover())
  const close = () => {
    setOpen(undefined)
    focusFirst(props.before)
  }
  return (
    <div
      ref={element}
      class="menu"
      popover="auto"
      role="menu"
      aria-label={props.label}
      onToggle={(event) => {
        if ((event as unknown as ToggleEvent).newState === 'closed') setOpen(undefined)
      }}
      onKeyDown={(event) => onKey(event, element, close)}
    >
      <For each={props.entries}>
        {(one) => (one === 'line' ? <hr /> : <Item entry={one} close={close} />)}
      </For>
    </div>
  )
}

function Item(props: { entry: Exclude<MenuEntry, 'line'>; close(): void }) {
  const one = props.entry
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a role of its own comes with it
    <button
      type="button"
      role={one.isChecked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={one.isChecked}
      tabindex="-1"
      classList={{ danger: one.isDangerous ?? false }}
      onClick={() => {
        props.close()
        one.run()
      }}
    >
      <span class="menu-icon">
        <Show when={one.isChecked ? 'check' : one.icon}>{(icon) => <Icon name={icon()} />}</Show>
      </span>
      <span class="menu-label">{one.label}</span>
      <Show when={one.note}>
        <span class="menu-note">{one.note}</span>
      </Show>
      <Show when={one.keys}>
        <kbd>{one.keys}</kbd>
      </Show>
    </button>
  )
}

/** The keys of menus: arrows go round, Home and End, letters find by the beginning of the label. */
function onKey(event: KeyboardEvent, menu: HTMLElement, close: () => void) {
  const all = items(menu)
  const at = all.indexOf(document.activeElement as HTMLElement)
  const goTo = (index: number) => {
    event.preventDefault()
    all[(index + all.length) % all.length]?.focus()
  }
  event.stopPropagation()
  if (event.key === 'ArrowDown') goTo(at + 1)
  else if (event.key === 'ArrowUp') goTo(at < 0 ? -1 : at - 1)
  else if (event.key === 'Home') goTo(0)
  else if (event.key === 'End') goTo(-1)
  else if (event.key === 'Escape' || event.key === 'Tab') {
    event.preventDefault()
    close()
  } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey) {
    const rest = [...all.slice(at + 1), ...all.slice(0, at + 1)]
    const found = rest.find((one) => one.textContent?.toLowerCase().startsWith(event.key.toLowerCase()))
    if (found) goTo(all.indexOf(found))
  }
}

function items(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]')]
}

/**
 * Puts an overlay below its anchor, which is at `at`, or above it if there is more room; always within the page. `edge`: at which
 * side of the anchor the two meet.
 */
export function place(overlay: HTMLElement, at: DOMRect, edge: 'start' | 'end' = 'end') {
  const { width, height } = overlay.getBoundingClientRect()
  const isRightToLeft = document.documentElement.dir === 'rtl'
  const wanted = isRightToLeft === (edge === 'end') ? at.left : at.right - width
  const below = at.bottom + 4
  const fits = below + height <= innerHeight - 8
  const top = Math.max(8, fits ? below : Math.min(at.top - height - 4, innerHeight - height - 8))
  // Positions on the screen are those of the pointer, so these two are not logical properties.
  overlay.style.top = `${top}px`
  overlay.style.left = `${Math.max(8, Math.min(wanted, innerWidth - width - 8))}px`
}
