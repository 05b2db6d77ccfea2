import { createRoot, createSignal } from 'solid-js'
import { type Message, message } from '../../store/messages.ts'

const [selected, setSelected] = createRoot(() => createSignal<number>())

/** The message on which shortcuts act, by its id; of the feed that is open. */
export { selected, setSelected }

export function selectedMessage(): Message | undefined {
  const id = selected()
  return id === undefined ? undefined : message(id)
}
