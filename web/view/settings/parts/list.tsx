import './list.css'
import { type Accessor, For, type JSX, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { ActionButton, IconButton } from '../../parts/action-button.tsx'
import { askFirst } from '../../parts/confirm.tsx'
import { openDialog } from '../../parts/dialog.tsx'
import { ErrorText } from '../../parts/error-text.tsx'
import { CheckBox } from '../../parts/fields.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { keepFocus } from '../../parts/keep-focus.ts'
import { Known } from '../../parts/known.tsx'
import { Section } from './section.tsx'
import { saveChoice, useSetting } from './setting.tsx'

/** A list of things with what can be done about each: emoji, invitations, fields. */
export function List<T>(props: {
  label: string
  items: readonly T[]
  /** The text for an empty list. */
  empty: string
  children(item: T, index: () => number): JSX.Element
}) {
  return (
    <Show when={props.items.length > 0} fallback={<p class="set-note">{props.empty}</p>}>
      <ul class="set-list" aria-label={props.label}>
        <For each={props.items}>
          {(item, index) => <li ref={keepFocus}>{props.children(item, index)}</li>}
        </For>
      </ul>
    </Show>
  )
}

/** A list of things with ids, in the order of `things`. A row stays, and with it the focus, when its thing changes. */
export function ListById<T>(props: {
  label: string
  things: ReadonlyMap<number, T>
  /** The ids of the shown ones; all if this is left out. */
  ids?: number[] | undefined
  empty: string
  children(thing: Accessor<T>): JSX.Element
}) {
  return (
    <List label={props.label} items={props.ids ?? [...props.things.keys()]} empty={props.empty}>
      {(id) => <Known thing={props.things.get(id)}>{props.children}</Known>}
    </List>
  )
}

/** A list of things with ids below a button that makes another. */
export function ListSection<T>(props: {
  note: string
  label: string
  things: ReadonlyMap<number, T>
  ids?: number[] | undefined
  empty: string
  /** The text of the button, the reason why it cannot be used, if so, and the dialog that it opens. */
  add: { text: string; reason: string | undefined; dialog(close: () => void): JSX.Element }
  children(thing: Accessor<T>): JSX.Element
}) {
  return (
    <Section note={props.note}>
      <div class="set-bar">
        <ActionButton reason={props.add.reason} run={() => openDialog((close) => props.add.dialog(close))}>
          {props.add.text}
        </ActionButton>
      </div>
      <ListById {...props} />
    </Section>
  )
}

/** Shows the name of a list's item, and a line about it. */
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

/** Opens the dialog that changes a thing of a list. */
export function EditButton(props: {
  name: string
  reason?: string | undefined
  dialog(close: () => void): JSX.Element
}) {
  return (
    <IconButton
      icon="edit"
      label={t('org.edit', { name: props.name })}
      reason={props.reason}
      run={() => openDialog((close) => props.dialog(close))}
    />
  )
}

/** Removes a thing of a list, after a question if there is one. */
export function RemoveButton(props: {
  name: string
  icon?: IconName
  reason?: string | undefined
  question?: { title: string; text: string }
  remove(): Promise<unknown>
}) {
  const run = () => {
    const { question, remove } = props
    if (!question) return remove()
    askFirst({ ...question, action: t('org.remove_it'), run: remove })
  }
  return (
    <IconButton
      icon={props.icon ?? 'trash'}
      label={t('org.remove', { name: props.name })}
      reason={props.reason}
      run={run}
    />
  )
}

/** A property of a thing of a list that is on or off, and is saved as it is turned. */
export function ListCheck(props: {
  label: string
  isOn: boolean
  reason?: string | undefined
  save(isOn: boolean): Promise<unknown>
}) {
  const setting = useSetting(
    () => props.isOn,
    (isOn) => props.save(isOn),
  )
  return (
    <>
      <CheckBox
        label={props.label}
        isOn={setting.value()}
        reason={props.reason}
        set={(isOn) => saveChoice(setting, isOn)}
      />
      <ErrorText error={setting.error()} />
    </>
  )
}
