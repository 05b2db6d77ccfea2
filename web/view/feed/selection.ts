import { createRoot, createSignal, onCleanup } from 'solid-js'
import { type Message, message } from '../../store/messages.ts'

const [selected, setSignal] = createRoot(() => createSignal<number>())

/** The message on which shortcuts act, by its id; of the feed that is open. */
export { selected }

/** Selects a message. The entry of the browser's history keeps it, so that going back selects it again. */
export function setSelected(id: number | undefined) {
  setSignal(id)
  if (id !== undefined) keepInEntry({ selected: id })
}

/** The position at which the reader left this view, from the entry of the browser's history. */
export const placeBefore = () => history.state?.place as { id: number; top: number } | undefined

/** How long a list has not scrolled when its place is kept, in milliseconds. Safari before 26.2 has no `scrollend`. */
const restMs = 100

/** Keeps the place of a list in the entry of the browser's history whenever the list rests. */
export function keepPlaceAtRest(scroller: HTMLElement, place: () => ReturnType<typeof placeBefore>) {
  let timer: number | undefined
  onCleanup(() => clearTimeout(timer))
  scroller.addEventListener('scroll', () => {
    clearTimeout(timer)
    timer = setTimeout(() => keepInEntry({ place: place() }), restMs)
  })
}

function keepInEntry(values: object) {
  try {
    history.replaceState({ ...history.state, ...values }, '')
  } catch {
    // Safari refuses more than 100 changes within ten seconds, which a key that is held down makes.
  }
}

/** Selects nothing, as in a view that has just been opened; returns what was selected when the user left it. */
export function beginSelection(): number | undefined {
  setSignal(undefined)
  const id: unknown = history.state?.selected
  return typeof id === 'number' ? id : undefined
}

export function selectedMessage(): Message | undefined {
  const id = selected()
  return id === undefined ? undefined : message(id)
}
