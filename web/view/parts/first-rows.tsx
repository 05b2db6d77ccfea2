import { createSignal, For, type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'

const rowsAtFirst = 200

/** The first rows of a list, and a button that doubles how many there are: to make thousands takes seconds. */
export function FirstRows<Key>(props: { each: Key[]; children(key: Key): JSX.Element }) {
  const [most, setMost] = createSignal(rowsAtFirst)
  const rest = () => props.each.length - most()
  let end: HTMLLIElement | undefined
  const more = () => {
    const last = end?.previousElementSibling
    setMost((count) => 2 * count)
    last?.nextElementSibling?.querySelector('a')?.focus()
  }
  return (
    <>
      <For each={props.each.slice(0, most())}>{props.children}</For>
      <Show when={rest() > 0}>
        <li class="older" ref={end}>
          <button type="button" class="button" onClick={more}>
            {t('inbox.more', { count: rest() })}
          </button>
        </li>
      </Show>
    </>
  )
}
