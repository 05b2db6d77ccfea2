import { createRoot, createSignal, For, type JSX, onCleanup, onMount } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { loadWithTexts } from '../../lib/with-texts.ts'
import { focusFirst, wayBack } from './focus.ts'
import { Icon } from './icon.tsx'
import { noticeFailure } from './notices.tsx'

type Content = (close: () => void) => JSX.Element

/** `before`: where the focus returns to. */
type Open = { content: Content; before: Element[]; close(): void }

const [dialogs, setDialogs] = createRoot(() => createSignal<Open[]>([]))
const [elements, setElements] = createRoot(() => createSignal<HTMLDialogElement[]>([]))

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

/** Whether the code of a dialog is being loaded. The keys that the user presses meanwhile are meant for the dialog. */
export const isDialogComing = () => coming > 0

/** Opens a dialog whose code is loaded when it is first needed. */
export function later<T>(load: () => Promise<T>, content: (module: T, close: () => void) => JSX.Element) {
  coming++
  load()
    .then((module) => openDialog((close) => content(module, close)), noticeFailure)
    .finally(() => coming--)
}

/** The same for a dialog with texts that the first load leaves out. */
export function laterWithTexts<T>(
  load: () => Promise<T>,
  content: (module: T, close: () => void) => JSX.Element,
) {
  later(() => loadWithTexts(load), content)
}

/** Where the dialogs are shown; once in the page. */
export function Dialogs() {
  return <For each={dialogs()}>{(one) => one.content(one.close)}</For>
}

/** Shows the element of a dialog above all else, as long as the component is there. */
export function useModal(element: () => HTMLDialogElement) {
  onMount(() => {
    element().showModal()
    setElements((all) => [...all, element()])
  })
  onCleanup(() => {
    setElements((all) => all.filter((other) => other !== element()))
    element().close()
  })
}

/** A modal dialog with a title. Escape and a click beside it close it. */
export function Dialog(props: { title: string; close(): void; class?: string; children: JSX.Element }) {
  let element!: HTMLDialogElement
  useModal(() => element)
  return (
    <dialog
      ref={element}
      class={`panel ${props.class ?? ''}`}
      aria-label={props.title}
      onCancel={(event) => {
        event.preventDefault()
        props.close()
      }}
      onMouseDown={(event) => {
        if (event.target === element && isBeside(event, element)) props.close()
      }}
    >
      <div class="panel-inside">
        <header class="panel-head">
          <h2 dir="auto">{props.title}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label={t('dialog.close')}
            onClick={() => props.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  )
}

/** The backdrop and the scrollbar of a dialog are parts of its element, too. */
function isBeside({ clientX: x, clientY: y }: MouseEvent, element: Element) {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return x < left || x > right || y < top || y > bottom
}
