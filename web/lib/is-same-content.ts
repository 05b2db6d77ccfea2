/**
 * Whether two lists of plain objects say the same. A memo that is made anew with each event takes it as `equals`, so that the rows made from
 * it stay, and a press of the mouse into which an event comes still counts.
 */
export function isSameContent(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
