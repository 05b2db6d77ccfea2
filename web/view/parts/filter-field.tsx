/** The field above a list in which the words are typed that its rows must have. */
export function FilterField(props: { label: string; value?: string; set(words: string): void }) {
  return (
    <input
      class="field"
      type="search"
      placeholder={props.label}
      aria-label={props.label}
      value={props.value ?? ''}
      onInput={(event) => props.set(event.currentTarget.value)}
    />
  )
}
