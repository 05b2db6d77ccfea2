import { createMemo, For, Show } from 'solid-js'

// The fields of forms, each with its label.

type BoxProps = {
  value: string
  set(value: string): void
  /** What follows when the text is changed and the field is left. */
  onChange?: ((element: HTMLInputElement | HTMLTextAreaElement) => void) | undefined
  id?: string
  type?: 'text' | 'email' | 'password' | 'url' | undefined
  max?: number | undefined
  placeholder?: string
  autocomplete?: 'email' | 'current-password' | 'new-password' | 'off' | undefined
  /** Addresses and patterns are written from left to right in any language. */
  isCode?: boolean | undefined
  /** Whether it has the focus when the form opens. */
  isFirst?: boolean | undefined
  isRequired?: boolean | undefined
  isDisabled?: boolean
  isInvalid?: boolean | undefined
  describedBy?: string | undefined
  /** How many lines it shows; a text of one line if this is left out. */
  lines?: number | undefined
}

/** The element of a text, without its label. */
export function TextBox(props: BoxProps) {
  const dir = () => (props.isCode ? 'ltr' : 'auto')
  const spellcheck = () => (props.isCode ? false : undefined)
  return (
    <Show
      when={props.lines}
      fallback={
        <input
          class="field"
          id={props.id}
          type={props.type ?? 'text'}
          autocomplete={props.autocomplete}
          // Spaces alone are no name.
          pattern={props.isRequired ? '.*\\S.*' : undefined}
          dir={dir()}
          spellcheck={spellcheck()}
          autofocus={props.isFirst ?? false}
          required={props.isRequired ?? false}
          disabled={props.isDisabled ?? false}
          maxlength={props.max}
          placeholder={props.placeholder}
          aria-invalid={props.isInvalid}
          aria-describedby={props.describedBy}
          value={props.value}
          onInput={(event) => props.set(event.currentTarget.value)}
          onChange={(event) => props.onChange?.(event.currentTarget)}
        />
      }
    >
      <textarea
        class="field"
        id={props.id}
        rows={props.lines}
        dir={dir()}
        spellcheck={spellcheck()}
        autofocus={props.isFirst ?? false}
        required={props.isRequired ?? false}
        disabled={props.isDisabled ?? false}
        maxlength={props.max}
        placeholder={props.placeholder}
        aria-invalid={props.isInvalid}
        aria-describedby={props.describedBy}
        value={props.value}
        onInput={(event) => props.set(event.currentTarget.value)}
        onChange={(event) => props.onChange?.(event.currentTarget)}
      />
    </Show>
  )
}

export function TextInput(props: BoxProps & { label: string }) {
  const autocomplete = () => props.autocomplete ?? (props.type === 'password' ? 'new-password' : 'off')
  return (
    <label>
      {props.label}
      <TextBox {...props} autocomplete={autocomplete()} />
    </label>
  )
}

/** The password of the user, to show that it is them. */
export function CurrentPassword(props: { label: string; value: string; set(value: string): void }) {
  return <TextInput {...props} type="password" autocomplete="current-password" isCode />
}

export function CheckBox(props: {
  label: string
  isOn: boolean
  set(isOn: boolean): void
  /** Why it cannot be changed. */
  reason?: string | undefined
  describedBy?: string
}) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={props.isOn}
        disabled={props.reason !== undefined}
        title={props.reason}
        aria-describedby={props.describedBy}
        onChange={(event) => props.set(event.currentTarget.checked)}
      />
      <span dir="auto">{props.label}</span>
    </label>
  )
}

export function SelectField<T extends string | number | null>(props: {
  label: string
  value: T
  /** Values with their names. */
  options: readonly (readonly [T, string])[]
  choose(value: T): void
  /** Whether a value is shown and cannot be chosen. */
  isRefused?: ((value: T) => boolean) | undefined
  isDisabled?: boolean
  describedBy?: string
}) {
  const options = createMemo(() => new Map(withValue(props.options, props.value)))
  return (
    <label>
      {props.label}
      <select
        class="field"
        disabled={props.isDisabled ?? false}
        aria-describedby={props.describedBy}
        onChange={({ currentTarget }) => {
          const value = [...options().keys()][currentTarget.selectedIndex]
          if (value !== undefined) props.choose(value)
        }}
      >
        {/* By values: an event may make the options anew while the list is open. */}
        <For each={[...options().keys()]}>
          {(value) => (
            <option
              value={value ?? ''}
              selected={value === props.value}
              disabled={props.isRefused?.(value) ?? false}
            >
              {options().get(value)}
            </option>
          )}
        </For>
      </select>
    </label>
  )
}

/** The options of a list. A value that is none of them is shown as it is, where the browser would show the first one. */
export function withValue<T>(options: readonly (readonly [T, string])[], value: T) {
  const isKnown = options.some(([one]) => one === value)
  return isKnown ? options : [[value, String(value)] as const, ...options]
}
