/**
 * Lets the browser skip rows far from the view, as soon as it has laid them out once. A skipped row takes up the height
 * that it had then, so that rows do not change their heights, and move others, when they come near the view.
 */
const observer = new ResizeObserver((entries) => {
  for (const { target, borderBoxSize } of entries) {
    const height = borderBoxSize[0]?.blockSize ?? 0
    // A row that was taken away again, or whose list is not displayed.
    if (height === 0) continue
    observer.unobserve(target)
    const row = target as HTMLElement
    row.style.setProperty('--laid-out', `${height}px`)
    row.classList.add('laid-out')
  }
})

/** To be called with the element of a new row; returns what ends it. */
export function skipWhenFar(row: HTMLElement): () => void {
  observer.observe(row)
  return () => observer.unobserve(row)
}
