import { createRoot, createSignal } from 'solid-js'

/** The messages that their authors are editing now, by their ids. The notices of typing (typing.ts) fill it. */
export const [edited, setEdited] = createRoot(() => createSignal<ReadonlySet<number>>(new Set()))
