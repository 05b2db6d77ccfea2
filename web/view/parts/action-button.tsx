import type { JSX } from 'solid-js'

/** A button with a text, which says why it cannot be used if so. */
export function ActionButton(props: {
  /** Why it cannot be used. */
  reason?: string | undefined
  isDangerous?: boolean
  isDisabled?: boolean
  /** Its name for screen readers, where the text alone does not say what it acts on. */
  label?: string
  run(): void
  children: JSX.Element
}) {
  return (
    <button
      type="button"
      class="button"
      classList={{ danger: props.isDangerous ?? false }}
      disabled={props.reason !== undefined || (props.isDisabled ?? false)}
      title={props.reason}
      aria-label={props.label}
      onClick={() => props.run()}
    >
      {props.children}
    </button>
  )
}
