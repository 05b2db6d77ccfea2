import { type JSX, onCleanup, onMount } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { setElements } from './dialog.tsx'
import { Icon } from './icon.tsx'

/** Shows the element of a dialog above all else, as long as the component is there. */
export function useModal(element: () => HTMLDialogElement) {
  onMount(() => {
    element().showModal()
    // Chromium prefers what scrolls to the first button in it.
    if (document.activeElement?.matches('.panel-inside')) element().querySelector('button')?.focus()
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
        if (event.target === element) props.close()
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
