/** Leaves the focus to a row that moves in its list, as when it is renamed: browsers take it away from what moves. */
export function keepMovedFocus() {
  let focused: HTMLElement | undefined
  document.addEventListener('focusin', ({ target }) => {
    focused = target as HTMLElement
  })
  // A user who clicks beside it has left it.
  document.addEventListener('pointerdown', () => {
    focused = undefined
  })
  const observer = new MutationObserver((changes) => {
    if (document.activeElement !== document.body || !focused?.isConnected) return
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    if (added.some((node) => node.contains(focused ?? null))) focused.focus({ preventScroll: true })
  })
  observer.observe(document.body, { childList: true, subtree: true })
}
