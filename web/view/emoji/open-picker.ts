import { createRoot, createSignal } from 'solid-js'
import type { Emoji } from '../message/commands.ts'

type Asked = { anchor: Element; choose(emoji: Emoji): void }

const [asked, setAsked] = createRoot(() => createSignal<Asked>())

/** The element beside which the picker opens, and the function that gets the emoji. */
export { asked, setAsked }

/** Lets the user choose an emoji beside an element. */
export function openEmojiPicker(anchor: Element, choose: (emoji: Emoji) => void) {
  setAsked({ anchor, choose })
}
