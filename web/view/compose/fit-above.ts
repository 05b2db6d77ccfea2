import { createEffect, onCleanup } from 'solid-js'

/** The room that a list leaves at the edge of the page, in CSS pixels. */
const margin = 8

/**
 * Keeps a list that opens upwards within what can be seen of the page, of which a keyboard on the screen may leave little,
 * and the chosen row within the list. `changes` reads what the list depends on.
 */
export function fitAbove(list: HTMLElement, changes: () => unknown) {
  function limit() {
    // In dialogs, lists open downwards.
    if (list.hidden || list.closest('dialog')) return
    const top = visualViewport?.offsetTop ?? 0
    list.style.maxHeight = `${list.getBoundingClientRect().bottom - top - margin}px`
  }
  createEffect(() => {
    changes()
    limit()
    list.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  for (const event of ['resize', 'scroll']) visualViewport?.addEventListener(event, limit)
  onCleanup(() => {
    for (const event of ['resize', 'scroll']) visualViewport?.removeEventListener(event, limit)
  })
}
