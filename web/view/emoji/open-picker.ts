import { createRoot, createSignal } from 'solid-js'
import type { Emoji } from '../message/commands.ts'
import { wayBack } from '../parts/focus.ts'

/** `at`: where the anchor is; it may go while the picker is being loaded. `before`: where the focus returns to. */
type Asked = { anchor: Element; at: DOMRect; before: Element[]; choose(emoji: Emoji): void }

const [asked, setAsked] = createRoot(() => createSignal<Asked>())

/** The element beside which the picker opens, and the function that gets the emoji. */
export { asked, setAsked }

/** Lets the user choose an emoji beside an element. */
export function openEmojiPicker(anchor: Element, choose: (emoji: Emoji) => void) {
  setAsked({ anchor, at: anchor.getBoundingClientRect(), before: wayBack(anchor), choose })
}
