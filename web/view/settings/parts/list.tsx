import './list.css'
import { createEffect, For, type JSX, on, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'

/** A list of things with what can be done about each: emoji, invitations, fields. */
export function List<T>(props: {
  label: string
  items: readonly T[]
  /** What stands in place of an empty list. */
  empty: string
  children(item: T, index: () => number): JSX.Element
}) {
  return (
    <Show when={props.items.length > 0} fallback={<p class="set-note">{props.empty}</p>}>
      <ul class="set-list" aria-label={props.label}>
        <For each={props.items}>{(item, index) => <li>{props.children(item, index)}</li>}</For>
      </ul>
    </Show>
  )
}

/** What a thing of a list is called, and a line about it. */
export function ListText(props: { title: JSX.Element; children?: JSX.Element }) {
  return (
    <div class="set-list-text">
      <div dir="auto">{props.title}</div>
      <Show when={props.children}>
        <p dir="auto">{props.children}</p>
      </Show>
    </div>
  )
}

/** A button of a thing of a list; its name says what it does to which thing. */
export function ListButton(props: {
  icon: IconName
  label: string
  /** Why it cannot be used. */
  reason?: string | undefined
  class?: string
  run(): void
}) {
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ''}`}
      aria-label={props.label}
      title={props.reason ?? props.label}
      disabled={props.reason !== undefined}
      onClick={() => props.run()}
    >
      <Icon name={props.icon} />
    </button>
  )
}

/** Buttons that move a thing of an ordered list up and down; `move` gets the ids in their new order. */
export function OrderButtons(props: {
  name: string
  id: number
  ids: number[]
  reason?: string | undefined
  move(ids: number[]): void
}) {
  const at = () => props.ids.indexOf(props.id)
  let pressed: HTMLButtonElement | undefined
  let other: HTMLButtonElement | undefined
  const to = (index: number, [button, opposite]: (HTMLButtonElement | undefined)[]) => {
    pressed = button
    other = opposite
    const others = props.ids.filter((id) => id !== props.id)
    props.move([...others.slice(0, index), props.id, ...others.slice(index)])
  }
  // A row that has moved in the page has lost the focus.
  createEffect(
    on(at, () => {
      const [first, second] = [pressed, other]
      pressed = undefined
      queueMicrotask(() => (first?.disabled ? second : first)?.focus())
    }),
  )
  let up!: HTMLButtonElement
  let down!: HTMLButtonElement
  return (
    <>
      <button
        type="button"
        ref={up}
        class="icon-button up"
        aria-label={t('org.move_up', { name: props.name })}
        disabled={props.reason !== undefined || at() <= 0}
        onClick={() => to(at() - 1, [up, down])}
      >
        <Icon name="down" />
      </button>
      <button
        type="button"
        ref={down}
        class="icon-button"
        aria-label={t('org.move_down', { name: props.name })}
        disabled={props.reason !== undefined || at() === props.ids.length - 1}
        onClick={() => to(at() + 1, [down, up])}
      >
        <Icon name="down" />
      </button>
    </>
  )
}
