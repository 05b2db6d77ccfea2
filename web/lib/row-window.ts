/** How many rows beyond those in view are made on each side. */
const margin = 8

/** Returns which rows of equal height are in view, and some around them. */
export function windowOf(view: { top: number; height: number; count: number; rowHeight: number }) {
  const from = Math.max(0, Math.floor(view.top / view.rowHeight) - margin)
  const to = Math.ceil((view.top + view.height) / view.rowHeight) + margin
  // A list that has become shorter may end above what was in view.
  return { from: Math.min(from, Math.max(0, view.count - 1)), to: Math.min(view.count, to) }
}
