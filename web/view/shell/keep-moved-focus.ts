import { focusFirst, wayBack } from '../parts/focus.ts'

/**
 * Leaves the focus to a row that moves in its list, as when it is renamed: browsers take it away from what moves. The focus of a row that
 * goes, as when its message is deleted, moves to the next one.
 */
export function keepMovedFocus() {
  let focused: HTMLElement | undefined
  let around: Element[] = []
  document.addEventListener('focusin', ({ target }) => {
    focused = target as HTMLElement
    around = focused.closest('li, tr, article') ? wayBack(focused) : []
  })
  // A user who clicks beside it has left it.
  document.addEventListener('pointerdown', () => {
    focused = undefined
  })
  const observer = new MutationObserver((changes) => {
    if (document.activeElement !== document.body || !focused) return
    if (!focused.isConnected) {
      focused = undefined
      if (around.length > 0) focusFirst(around)
      return
    }
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    if (added.some((node) => node.contains(focused ?? null))) focused.focus({ preventScroll: true })
  })
  observer.observe(document.body, { childList: true, subtree: true })
}
