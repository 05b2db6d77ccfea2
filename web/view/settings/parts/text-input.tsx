/** A field of a form with its label. */
export function TextInput(props: {
  label: string
  type?: 'text' | 'email' | 'password'
  value: string
  set(value: string): void
  max?: number
  placeholder?: string
  /** Addresses and patterns read from left to right in any language. */
  isCode?: boolean
  isFirst?: boolean
}) {
  return (
    <label>
      {props.label}
      <input
        class="field"
        type={props.type ?? 'text'}
        dir={props.isCode ? 'ltr' : 'auto'}
        spellcheck={props.isCode ? false : undefined}
        autocomplete={props.type === 'password' ? 'new-password' : 'off'}
        autofocus={props.isFirst ?? false}
        maxlength={props.max}
        placeholder={props.placeholder}
        value={props.value}
        onInput={(event) => props.set(event.currentTarget.value)}
      />
    </label>
  )
}
