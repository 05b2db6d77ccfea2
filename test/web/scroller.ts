import type { Page } from 'playwright-core'

/** How many pixels of the conversation are below the view. */
export const belowView = (page: Page) =>
  page.evaluate<number>(
    `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector('.message-scroller'))`,
  )

/** The first row that begins in the view, and its place. */
export const firstInView = (page: Page) =>
  page.evaluate<{ id: string; top: number }>(`(() => {
    const top = document.querySelector('.message-scroller').getBoundingClientRect().top
    const row = [...document.querySelectorAll('.row')].find((one) => one.getBoundingClientRect().top >= top)
    return { id: row.dataset.id, top: row.getBoundingClientRect().top }
  })()`)

/** How far the row of a message is from the top of the window, in pixels. */
export const placeOf = (page: Page, id: string) =>
  page.evaluate<number>(`document.querySelector('[data-id="${id}"]').getBoundingClientRect().top`)
