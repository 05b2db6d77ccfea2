import { createRoot, createSignal, For, type JSX } from 'solid-js'
import { loadWithTexts } from '../../lib/with-texts.ts'
import type { keepKeys } from './early-keys.ts'
import { focusFirst, wayBack } from './focus.ts'
import { noticeFailure } from './notices.tsx'

type Content = (close: () => void) => JSX.Element

/** `before`: where the focus returns to. */
type Open = { content: Content; before: Element[]; close(): void }

const [dialogs, setDialogs] = createRoot(() => createSignal<Open[]>([]))
/** The elements of the dialogs that are open, the one above all others last. */
const [elements, setElements] = createRoot(() => createSignal<HTMLDialogElement[]>([]))

export { setElements }

/** The dialog above all others, if one is open. Nothing outside of it can be seen or used. */
export const topDialog = () => elements().at(-1)

/** Opens a dialog. Its content is to be a `Dialog`, and calls `close` when it is done. */
export function openDialog(content: Content) {
  // The dialog from which it was opened may close first.
  const before = [...wayBack(), ...(dialogs().at(-1)?.before ?? [])]
  let isOpen = true
  const one = {
    content,
    before,
    close() {
      // The answer of a request may close a dialog that the user has closed already.
      if (!isOpen) return
      isOpen = false
      setDialogs((all) => all.filter((other) => other !== one))
      focusFirst(before)
    },
  }
  setDialogs((all) => [...all, one])
}

let coming = 0
let asked = 0

/** Closes all dialogs, such as when another view is opened, and opens none that is still being loaded. */
export function closeDialogs() {
  asked++
  for (const one of dialogs().toReversed()) one.close()
}

/** Whether the code of a dialog is being loaded. The keys that the user presses meanwhile are meant for the dialog. */
export const isDialogComing = () => coming > 0

/** Opens a dialog whose code is loaded when it is first needed, unless the user has asked for another one, or again, by then. `early`: what takes the keys that are pressed until it is open. */
export function later<T>(
  load: () => Promise<T>,
  content: (module: T, close: () => void) => JSX.Element,
  early?: ReturnType<typeof keepKeys>,
) {
  coming++
  const own = ++asked
  load()
    .then((module) => {
      if (own !== asked) return
      openDialog((close) => content(module, close))
      early?.replay()
    }, noticeFailure)
    .finally(() => {
      coming--
      early?.end()
    })
}

/** Loads a dialog whose texts are not in the first load. */
export function laterWithTexts<T>(
  load: () => Promise<T>,
  content: (module: T, close: () => void) => JSX.Element,
) {
  later(() => loadWithTexts(load), content)
}

/** The place of all dialogs, once in the page. */
export function Dialogs() {
  return <For each={dialogs()}>{(one) => one.content(one.close)}</For>
}
