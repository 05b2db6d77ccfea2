/** Arrow down leads from the words to the first of the rows that are left, and Enter opens it. */
function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLElement }) {
  const act = ({ Enter: 'click', ArrowDown: 'focus' } as const)[event.key]
  if (!act || event.isComposing) return
  event.preventDefault()
  // Not a row behind the dialog in which the field is.
  event.currentTarget.closest('main, dialog')?.querySelector<HTMLElement>('a[data-row]')?.[act]()
}

/** The field above a list in which the words are typed that its rows must have. */
export function FilterField(props: { label: string; value?: string; set(words: string): void }) {
  return (
    <input
      class="field"
      type="search"
      placeholder={props.label}
      aria-label={props.label}
      value={props.value ?? ''}
      onKeyDown={onKeyDown}
      onInput={(event) => props.set(event.currentTarget.value)}
    />
  )
}
