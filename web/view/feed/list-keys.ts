import { onCleanup } from 'solid-js'
import { onActions } from '../../lib/actions.ts'
import { isElsewhere } from '../parts/focus.ts'
import { coveredIn } from './covered.ts'
import { selected, setSelected } from './selection.ts'

type List = { rows: HTMLElement; scroller: HTMLElement; goToStart(): Promise<void>; goToEnd(): Promise<void> }

/** Frames for which a chosen row is kept in view. */
const settling = 12

/** The keys that move the selection through a list of messages. The selected message has the focus and is in view. */
export function listKeys({ rows, scroller, goToStart, goToEnd }: List) {
  const all = () => [...rows.querySelectorAll<HTMLElement>('[data-id]')]
  const current = () => rows.querySelector<HTMLElement>(`[data-id="${selected()}"]`)

  function step(direction: 1 | -1) {
    const list = all()
    const here = current()
    const index = here ? list.indexOf(here) + direction : firstInView(scroller, list, direction)
    const next = list[Math.max(0, Math.min(index, list.length - 1))]
    if (next) choose(next)
  }

  function choose(row: HTMLElement) {
    select(row)
    keepInView(scroller, row)
  }

  function page(direction: 1 | -1) {
    scroller.scrollTop += direction * (scroller.clientHeight - 64)
    const list = all()
    const row = list[firstInView(scroller, list, direction > 0 ? -1 : 1)]
    if (row) select(row)
  }

  const edge = (go: () => Promise<void>, at: 0 | -1) => () =>
    void go().then(() => {
      const row = all().at(at)
      if (row && !isElsewhere(row)) choose(row)
    })

  onCleanup(
    onActions({
      next: () => step(1),
      previous: () => step(-1),
      page_down: () => page(1),
      page_up: () => page(-1),
      start: edge(goToStart, 0),
      end: edge(goToEnd, -1),
    }),
  )
}

function select(row: HTMLElement) {
  setSelected(Number(row.dataset.id))
  row.focus({ preventScroll: true })
}

/** The offset of a row in its list, and how far the list is scrolled, in pixels. */
type Place = { inList: number; scrolled: number }

/** Rows get their heights when they come near the view, so a row may move away while it is being shown. A reader who scrolls is let go. */
function keepInView(scroller: HTMLElement, row: HTMLElement, frames = settling, before?: Place) {
  const inList = row.getBoundingClientRect().top + scroller.scrollTop
  const hasScrolled =
    before && Math.abs(inList - before.inList) < 1 && Math.abs(scroller.scrollTop - before.scrolled) >= 1
  if (hasScrolled || selected() !== Number(row.dataset.id)) return
  showRow(scroller, row)
  const place = { inList, scrolled: scroller.scrollTop }
  if (frames > 0) requestAnimationFrame(() => keepInView(scroller, row, frames - 1, place))
}

/** The first row in view going down, the last one going up. */
function firstInView(scroller: HTMLElement, list: HTMLElement[], direction: 1 | -1) {
  const view = scroller.getBoundingClientRect()
  const start = view.top + coveredIn(scroller)
  const isIn = (row: HTMLElement) => {
    const { top, bottom } = row.getBoundingClientRect()
    return bottom > start + 8 && top < view.bottom - 8
  }
  return direction > 0 ? list.findIndex(isIn) : list.findLastIndex(isIn)
}

/** Scrolls so that a row is in view with a margin; a row taller than the view is shown from its top. */
function showRow(scroller: HTMLElement, row: HTMLElement) {
  const view = scroller.getBoundingClientRect()
  const { top, bottom } = row.getBoundingClientRect()
  const margin = Math.max(coveredIn(scroller), Math.min(48, view.height / 8))
  if (top < view.top + margin) scroller.scrollTop += top - view.top - margin
  else if (bottom > view.bottom - 8) {
    scroller.scrollTop += Math.min(bottom - view.bottom + margin, top - view.top - margin)
  }
}
