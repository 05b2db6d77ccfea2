import { createMemo, createSignal, createUniqueId, For, type JSX } from 'solid-js'
import { fitAbove } from './fit-above.ts'

type Props<T> = {
  label: string
  placeholder?: string
  value: string
  input(value: string): void
  /** The options that match the value, the best first. */
  options: T[]
  show(option: T): JSX.Element
  choose(option: T): void
  /** Enter without a choice, or leaving the field. */
  done?(): void
  /** Backspace in the empty field. */
  erase?(): void
  /** Whether the first option is chosen without a movement. */
  takesFirst?: boolean
  maxLength?: number | undefined
  ref?(input: HTMLInputElement): void
  autofocus?: boolean
}

/** A field of one line with a list of suggestions, as the combobox pattern has it. */
export function SuggestField<T>(props: Props<T>) {
  const id = createUniqueId()
  const list = createSuggestions(props)
  return (
    <span class="suggest-field">
      <input
        ref={(input) => props.ref?.(input)}
        role="combobox"
        dir="auto"
        autocomplete="off"
        aria-label={props.label}
        aria-expanded={list.options().length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={list.active() >= 0 ? `${id}-${list.active()}` : undefined}
        placeholder={props.placeholder}
        maxlength={props.maxLength}
        value={props.value}
        onInput={(event) => {
          props.input(event.currentTarget.value)
          list.open(props.takesFirst ? 0 : -1)
        }}
        onClick={() => list.open()}
        onBlur={list.close}
        onChange={() => props.done?.()}
        onKeyDown={list.onKeyDown}
      />
      <SuggestionList id={id} label={props.label} list={list} show={props.show} />
    </span>
  )
}

type Suggestions<T> = ReturnType<typeof createSuggestions<T>>

/** Creates the shown suggestions, the choice among them, and the keys that change it. */
function createSuggestions<T>(props: Props<T>) {
  const [isOpen, setOpen] = createSignal(false)
  const [active, setActive] = createSignal(-1)
  const options = createMemo(() => (isOpen() ? props.options : []))
  const open = (at = active()) => {
    setOpen(true)
    setActive(at)
  }
  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const choose = (index: number) => {
    const option = options()[index]
    if (option === undefined) return false
    props.choose(option)
    close()
    return true
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      move(step)
    } else if (event.key === 'Enter' || (event.key === 'Tab' && active() >= 0)) onEnter(event)
    else if (event.key === 'Escape' && options().length > 0) {
      event.preventDefault()
      event.stopPropagation()
      close()
    } else if (event.key === 'Backspace' && props.value === '') props.erase?.()
  }

  function move(step: number) {
    setOpen(true)
    const count = options().length
    if (count > 0) setActive((at) => (at < 0 && step < 0 ? count - 1 : (at + step + count) % count))
  }

  function onEnter(event: KeyboardEvent) {
    event.preventDefault()
    if (choose(active() < 0 && props.takesFirst ? 0 : active())) return
    close()
    props.done?.()
  }

  return { options, active, setActive, open, close, choose, onKeyDown }
}

function SuggestionList<T>(props: {
  id: string
  label: string
  list: Suggestions<T>
  show(option: T): JSX.Element
}) {
  const { options, active, setActive, choose } = props.list
  return (
    <div
      ref={(element) => fitAbove(element, () => [options(), active()])}
      class="suggestions below"
      id={`${props.id}-list`}
      role="listbox"
      aria-label={props.label}
      hidden={options().length === 0}
    >
      <For each={options()}>
        {(option, index) => (
          <button
            type="button"
            id={`${props.id}-${index()}`}
            role="option"
            tabindex="-1"
            aria-selected={active() === index()}
            onMouseMove={() => setActive(index())}
            onMouseDown={(event) => {
              event.preventDefault()
              choose(index())
            }}
          >
            {props.show(option)}
          </button>
        )}
      </For>
    </div>
  )
}
