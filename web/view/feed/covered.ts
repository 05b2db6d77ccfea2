/** How much of the top of a list of messages lies below the bar there, in CSS pixels, as the styles of the list say. */
export function coveredIn(scroller: Element) {
  return Number.parseFloat(getComputedStyle(scroller).scrollPaddingTop) || 0
}
