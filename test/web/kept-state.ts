import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export type Mark = { userId: number; build: string; position: number }

const inTable = (mode: string, work: string) => `new Promise((resolve) => {
  const opening = indexedDB.open('rookery', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('kept')
  opening.onsuccess = () => {
    const rows = opening.result.transaction('kept', '${mode}').objectStore('kept')
    const request = ${work}
    rows.transaction.oncomplete = () => { opening.result.close(); resolve(request.result) }
  }
})`

/** Returns the mark of the state that the browser has stored for the next visit; undefined if there is none. */
export function keptMark(page: Page): Promise<Mark | undefined> {
  return page.evaluate(inTable('readonly', `rows.get('mark')`))
}

/** The state itself that the browser has kept. */
export function keptState(page: Page): Promise<{ state: { queue_id: string } }> {
  return page.evaluate(inTable('readonly', `rows.get('state')`))
}

/** Changes what is kept: fields of it, given as JSON. */
export async function changeKept(page: Page, fields: object) {
  const kept = { ...(await keptState(page)), ...fields }
  await page.evaluate(inTable('readwrite', `rows.put(${JSON.stringify(kept)}, 'state')`))
}

/** Changes the position of the log that the kept state claims. */
export async function setKeptPosition(page: Page, position: number) {
  const mark = { ...(await page.evaluate<object>(inTable('readonly', `rows.get('mark')`))), position }
  await page.evaluate(inTable('readwrite', `rows.put(${JSON.stringify(mark)}, 'mark')`))
}

/** Has the page keep its state, as a browser does by hiding a page before it ends, and waits until it is kept. */
export async function keepNow(page: Page, userId: number) {
  const build = await page.evaluate<string>(`document.querySelector('script[type=module]').src`)
  await expect
    .poll(async () => {
      await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide'))`)
      return keptMark(page)
    })
    .toMatchObject({ userId, build })
}

/** Counts the requests of a page to register from now on. */
export function registrations(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/json/register') count++
  })
  return () => count
}
