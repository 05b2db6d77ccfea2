import { type JSX, onCleanup, onMount } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { setElements } from './dialog.tsx'
import { Icon } from './icon.tsx'

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
