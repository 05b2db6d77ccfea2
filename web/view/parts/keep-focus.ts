import { onCleanup } from 'solid-js'
import { focusFirst, wayBack } from './focus.ts'

/**
 * To be used as a `ref`: when this goes away with the focus in it, what stands beside it gets the focus. Not when the whole
 * view goes: the next one sees to that.
 */
export function keepFocus(element: HTMLElement) {
  onCleanup(() => {
    if (!element.contains(document.activeElement)) return
    const places = wayBack(document.activeElement, element)
    const view = element.closest('.settings-content, .view-body, dialog')
    queueMicrotask(() => {
      if (view?.isConnected && document.activeElement === document.body) focusFirst(places)
    })
  })
}
