import { createRoot, createSignal } from 'solid-js'

const [editing, setEditing] = createRoot(() => createSignal<number>())

/** The message that is edited in place, by its id. */
export { editing, setEditing }
