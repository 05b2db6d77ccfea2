import { type JSX, onCleanup, onMount } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { setElements, topDialog } from './dialog.tsx'
import { Icon } from './icon.tsx'

/** Shows the element of a dialog above all else, as long as the component is there. `leave`: what Escape does, or the back gesture of a phone. */
export function useModal(element: () => HTMLDialogElement, leave: () => void) {
  // Chromium closes dialogs together that were opened without a press of the user in between, so Escape is not left to it.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || topDialog() !== element()) return
    // Escape closes what lies over the dialog, and empties a field to search in.
    if ((event.target as Element).matches('[type=search]') || document.querySelector(':popover-open')) return
    event.preventDefault()
    leave()
  }
  onMount(() => {
    const dialog = element()
    dialog.showModal()
    // Chromium prefers what scrolls to the first button in it.
    if (document.activeElement?.matches('.panel-inside')) dialog.querySelector('button')?.focus()
    setElements((all) => [...all, dialog])
    addEventListener('keydown', onKeyDown)
    dialog.addEventListener('cancel', (event) => {
      // A field for files has an event of the same name.
      if (event.target !== dialog) return
      event.preventDefault()
      leave()
    })
    // The second time without a press in between, it is closed without the event that could prevent it.
    dialog.addEventListener('close', () => {
      if (!dialog.isConnected) return
      dialog.showModal()
      leave()
    })
  })
  onCleanup(() => {
    removeEventListener('keydown', onKeyDown)
    setElements((all) => all.filter((other) => other !== element()))
    element().close()
  })
}

/** A modal dialog with a title. Escape and a click beside it close it. */
export function Panel(props: {
  title: string
  close(): void
  class?: string | undefined
  /** Whether a click beside it leaves it open. */
  isHeld?(): boolean
  children: JSX.Element
}) {
  let element!: HTMLDialogElement
  useModal(
    () => element,
    () => props.close(),
  )
  return (
    <dialog
      ref={element}
      class={`panel ${props.class ?? ''}`}
      aria-label={props.title}
      onMouseDown={(event) => {
        if (event.target === element && !props.isHeld?.()) props.close()
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
