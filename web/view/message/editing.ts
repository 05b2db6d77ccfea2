import { createRoot, createSignal } from 'solid-js'

const [editing, setEditing] = createRoot(() => createSignal<number>())

/** The message that is edited in place, by its id. */
export { editing, setEditing }

/** What was typed into a message's box, kept while the box is closed. */
export const editTexts = new Map<number, string>()
