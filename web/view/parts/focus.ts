const usable = ':is(a[href], button, input, select, textarea):not(:disabled)'

/**
 * Returns the elements to which the focus returns, the first that is still there: the element itself, its row, the neighbors
 * of that, or those around it.
 */
export function wayBack(from = document.activeElement, row = from?.closest('li, tr, article')): Element[] {
  // The page itself takes the focus, and would be nowhere.
  const places = from && from !== document.body ? [from] : []
  if (row) places.push(row)
  for (let at = row?.nextElementSibling; at; at = at.nextElementSibling) places.push(at)
  for (let at = row?.previousElementSibling; at; at = at.previousElementSibling) places.push(at)
  for (let at = from?.parentElement; at; at = at.parentElement) {
    if (at.matches('[tabindex], dialog')) places.push(at)
  }
  return places
}

/**
 * Whether the user writes in a field, or has opened something over the page, other than `wanted` or where that is: what
 * comes only now leaves the focus there.
 */
export function isElsewhere(wanted: Element): boolean {
  const focused = document.activeElement
  if (!focused || focused === wanted) return false
  const layer = focused.closest('dialog, [popover]')
  return focused.matches('input, select, textarea') || (layer !== null && !layer.contains(wanted))
}

/** Focuses the first of these that takes the focus, itself or by what is in it; else the view. */
export function focusFirst(places: readonly Element[]) {
  for (const place of [...places, document.getElementById('main')]) {
    for (const one of [place, place?.querySelector(usable)] as (HTMLElement | null | undefined)[]) {
      one?.focus({ preventScroll: true })
      if (one && one === document.activeElement) return
    }
  }
}
