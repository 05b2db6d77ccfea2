import { createUniqueId, type JSX, Show } from 'solid-js'
import { IconButton } from '../parts/action-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { keepFocus } from '../parts/keep-focus.ts'
import { usePress } from '../parts/submission.ts'

type Opened = {
  /** The conversation that it is for, if it has one. */
  name?: string
  time: JSX.Element
  text: string
  /** Why it was not sent, if that was tried. */
  error?: string | undefined
  openLabel: string
  open(): unknown
}

type Props = Opened & {
  /** Buttons before the one that deletes it. */
  actions?: JSX.Element
  deleteLabel: string
  delete(): unknown
}

/** A row of something that is not sent yet: it opens with a click, and has buttons at its end. */
export function ListedRow(props: Props) {
  return (
    <li class="draft-row" ref={keepFocus}>
      <OpenButton {...props} />
      <span class="draft-actions">
        {props.actions}
        <IconButton icon="trash" label={props.deleteLabel} run={props.delete} />
      </span>
    </li>
  )
}

/** Screen readers hear its label, and then why it was not sent, its time and its text. */
function OpenButton(props: Opened) {
  const id = createUniqueId()
  const parts = { error: `${id}-error`, time: `${id}-time`, text: `${id}-text` }
  const { isBusy, press } = usePress(() => props.open())
  return (
    <button
      type="button"
      class="draft-open"
      aria-label={props.openLabel}
      aria-describedby={`${props.error ? `${parts.error} ` : ''}${parts.time} ${parts.text}`}
      aria-disabled={isBusy()}
      onClick={press}
    >
      <span class="draft-head">
        <Show when={props.name}>{(name) => <strong dir="auto">{name()}</strong>}</Show>
        <span class="draft-time" id={parts.time}>
          {props.time}
        </span>
      </span>
      <Show when={props.error}>
        {(error) => (
          <span class="error-text" id={parts.error}>
            {error()}
          </span>
        )}
      </Show>
      <span class="draft-text" id={parts.text} dir="auto">
        {props.text}
      </span>
    </button>
  )
}

/** The time at which something goes out. */
export function DueTime(props: { text: string }) {
  return (
    <>
      <Icon name="clock" /> {props.text}
    </>
  )
}
