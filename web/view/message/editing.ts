import { createRoot, createSignal } from 'solid-js'
import { signedInAs } from '../../lib/signed-in-as.ts'
import { storedJson } from '../../lib/stored-json.ts'

/** The typed text of a message's box, by the message's id, and the source that it changes. */
type Edit = [id: number, { text: string; source: string }]

/**
 * A tab keeps the texts of edits, as a session may end and the page be loaded anew. They belong to the user whose page this is,
 * also when another has signed in meanwhile in another tab.
 */
export const editsKey = `rookery.edits.${signedInAs()}`

/** Returns what was kept, the last change last. */
export function keptEdits(): Edit[] {
  return storedJson(sessionStorage, editsKey, [])
}

const [editing, setEditing] = createRoot(() => createSignal(keptEdits().at(-1)?.[0]))

/** The message that is edited in place, by its id. */
export { editing, setEditing }
