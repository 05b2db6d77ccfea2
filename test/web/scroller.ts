import type { Page } from 'playwright-core'

/** How many pixels of the conversation are below the view. */
export const belowView = (page: Page) =>
  page.evaluate<number>(
    `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('.message-scroller'))`,
  )

/**
 * The tops of elements in the next frame that is painted, in pixels from the top of the window. Between two frames, a row
 * that has come near the view may have its height already, while the list moves the rows back only when it is painted.
 */
const painted = `((elements) => new Promise((done, fail) => {
  if (elements.length === 0) fail(new Error('The row has left the page.'))
  setTimeout(fail, 20_000, new Error('Nothing was painted for 20 seconds.'))
  const observer = new IntersectionObserver((entries) => {
    observer.disconnect()
    done(entries.map(({ target, boundingClientRect }) => ({ id: target.dataset.id, top: boundingClientRect.top })))
  })
  for (const element of elements) observer.observe(element)
}))`

/** A row, by the id of its message, and its distance from the top of the view in pixels, as it is painted. */
export type Seen = { id: string; top: number }

/** The first row that begins in the view. */
export const firstInView = (page: Page) =>
  page.evaluate<Seen>(`(async () => {
    const { top } = document.querySelector('.message-scroller').getBoundingClientRect()
    const rows = await ${painted}(document.querySelectorAll('.row'))
    const first = rows.find((row) => row.top >= top)
    return { id: first.id, top: first.top - top }
  })()`)

/** How far a row has moved since it was seen, in pixels. */
export const movedSince = (page: Page, { id, top }: Seen) =>
  page.evaluate<number>(`(async () => {
    const view = document.querySelector('.message-scroller').getBoundingClientRect()
    const [row] = await ${painted}(document.querySelectorAll('.row[data-id="${id}"]'))
    return Math.abs(row.top - view.top - ${top})
  })()`)
