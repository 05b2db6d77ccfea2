import { createRoot, createSignal } from 'solid-js'

/** The messages of the open feed that are selected together, for what is then done with all of them. */
const [marked, setMarked] = createRoot(() => createSignal<ReadonlySet<number>>(new Set()))

export { marked }

/** The one from which a range begins. */
let latest: number | undefined

export function toggleMark(id: number) {
  latest = id
  setMarked((all) => {
    const next = new Set(all)
    if (!next.delete(id)) next.add(id)
    return next
  })
}

export function clearMarks() {
  if (marked().size > 0) setMarked(new Set<number>())
}

/** A click with Ctrl begins to select; from then on clicks select, and those with Shift all messages in between. */
export function markByClick(
  { ctrlKey, metaKey, shiftKey }: MouseEvent,
  id: number,
  shown: number[],
): boolean {
  if (marked().size === 0 && !ctrlKey && !metaKey) return false
  const [from, to] = [shown.indexOf(latest ?? id), shown.indexOf(id)].toSorted((a, b) => a - b)
  if (shiftKey && from !== undefined && from >= 0) {
    setMarked((all) => new Set([...all, ...shown.slice(from, (to ?? from) + 1)]))
  } else toggleMark(id)
  return true
}
