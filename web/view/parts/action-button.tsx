import type { JSX } from 'solid-js'
import { Icon, type IconName } from './icon.tsx'
import { usePress } from './submission.ts'

/** A button with a text, which says why it cannot be used if so. */
export function ActionButton(props: {
  /** Why it cannot be used. */
  reason?: string | undefined
  class?: string
  isDangerous?: boolean
  isDisabled?: boolean
  /** Whether what it does is under way; it keeps the focus. */
  isBusy?: boolean
  /** Its name for screen readers, where the text alone does not say what it acts on. */
  label?: string
  /** Carries out the action, once at a time. If it fails, a notice says why. */
  run(): unknown
  /** Whether it has the focus where it opens. */
  isFirst?: boolean
  ref?: (button: HTMLButtonElement) => void
  children: JSX.Element
}) {
  const { isBusy, press } = usePress(() => props.run())
  return (
    <button
      type="button"
      ref={props.ref}
      class={`button ${props.class ?? ''}`}
      classList={{ danger: props.isDangerous ?? false }}
      disabled={props.reason !== undefined || (props.isDisabled ?? false)}
      aria-disabled={(props.isBusy ?? false) || isBusy()}
      title={props.reason}
      aria-label={props.label}
      autofocus={props.isFirst ?? false}
      onClick={() => props.isBusy || press()}
    >
      {props.children}
    </button>
  )
}

/** A button with an icon; its name says what it does to which thing. */
export function IconButton(props: {
  icon: IconName
  label: string
  /** Why it cannot be used. */
  reason?: string | undefined
  class?: string
  /** Carries out the action, once at a time. If it fails, a notice says why. */
  run(): unknown
}) {
  const { isBusy, press } = usePress(() => props.run())
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ''}`}
      aria-label={props.label}
      title={props.reason ?? props.label}
      disabled={props.reason !== undefined}
      aria-disabled={isBusy()}
      onClick={press}
    >
      <Icon name={props.icon} />
    </button>
  )
}
