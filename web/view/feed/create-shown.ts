import { batch, createSignal, type Signal } from 'solid-js'
import { isSame } from '../../lib/shown-rows.ts'

/** The rows that are in the page, by the ids of their messages, and which one each of them stands below. */
export function createShown() {
  const [shown, setShown] = createSignal<number[]>([])
  // A signal for each row, so that a row that comes or goes concerns the one below it alone.
  const above = new Map<number, Signal<number | undefined>>()

  function show(ids: number[]) {
    if (isSame(ids, shown())) return
    batch(() => {
      for (const [index, id] of ids.entries()) {
        const cell = above.get(id)
        if (cell) cell[1](ids[index - 1])
        else above.set(id, createSignal(ids[index - 1]))
      }
      setShown(ids)
    })
    if (above.size > 2 * ids.length + 100) {
      const kept = new Set(ids)
      for (const id of above.keys()) if (!kept.has(id)) above.delete(id)
    }
  }

  /** The message above another one in the list. */
  const previous = (id: number) => above.get(id)?.[0]()
  return { shown, show, previous }
}
