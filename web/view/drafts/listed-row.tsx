import { createUniqueId, type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { Icon } from '../parts/icon.tsx'
import { keepFocus } from '../parts/keep-focus.ts'

type Opened = {
  /** The conversation that it is for, if it has one. */
  name?: string
  time: JSX.Element
  text: string
  /** Why it was not sent, if that was tried. */
  error?: string | undefined
  openLabel: string
  open(): void
}

type Props = Opened & {
  /** Buttons before the one that deletes it. */
  actions?: JSX.Element
  deleteLabel: string
  delete(): void
}

/** A row of something that is not sent yet: it opens with a click, and has buttons at its end. */
export function ListedRow(props: Props) {
  return (
    <li class="draft-row" ref={keepFocus}>
      <OpenButton {...props} />
      <span class="draft-actions">
        {props.actions}
        <button
          type="button"
          class="icon-button"
          title={t('message.delete')}
          aria-label={props.deleteLabel}
          onClick={() => props.delete()}
        >
          <Icon name="trash" />
        </button>
      </span>
    </li>
  )
}

/** Screen readers hear its label, and then why it was not sent, its time and its text. */
function OpenButton(props: Opened) {
  const id = createUniqueId()
  const parts = { error: `${id}-error`, time: `${id}-time`, text: `${id}-text` }
  return (
    <button
      type="button"
      class="draft-open"
      aria-label={props.openLabel}
      aria-describedby={`${props.error ? `${parts.error} ` : ''}${parts.time} ${parts.text}`}
      onClick={() => props.open()}
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
