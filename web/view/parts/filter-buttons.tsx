import { For } from 'solid-js'

/** The buttons above a list that choose which of its rows are shown. On a phone they are on one line, which scrolls. */
export function FilterButtons<Name extends string>(props: {
  names: readonly Name[]
  text(name: Name): string
  isChosen(name: Name): boolean
  choose(name: Name): void
}) {
  return (
    <div class="filter-buttons">
      <For each={props.names}>
        {(name) => (
          <button
            type="button"
            class="button"
            aria-pressed={props.isChosen(name)}
            onClick={() => props.choose(name)}
          >
            {props.text(name)}
          </button>
        )}
      </For>
    </div>
  )
}
