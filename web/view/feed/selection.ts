import { createRoot, createSignal } from 'solid-js'
import { type Message, message } from '../../store/messages.ts'

const [selected, setSignal] = createRoot(() => createSignal<number>())

/** The message on which shortcuts act, by its id; of the feed that is open. */
export { selected }

/** Selects a message. The entry of the browser's history keeps it, so that going back selects it again. */
export function setSelected(id: number | undefined) {
  setSignal(id)
  if (id !== undefined) history.replaceState({ ...history.state, selected: id }, '')
}

/** The position at which the reader left this view, from the entry of the browser's history. */
export const placeBefore = () => history.state?.place as { id: number; top: number } | undefined

export function keepPlace(place: ReturnType<typeof placeBefore>) {
  history.replaceState({ ...history.state, place }, '')
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
