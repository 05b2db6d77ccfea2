import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'

/** Has the pages of a browser profile note the newest keys, clicks, addresses and errors that reach them. */
export async function noteInputs(context: BrowserContext) {
  await context.addInitScript(`
    const inputs = window.newestInputs = []
    const note = (...words) => {
      inputs.push(words.join(' '))
      if (inputs.length > 60) inputs.shift()
    }
    for (const type of ['keydown', 'pointerdown', 'click']) {
      addEventListener(type, ({ key, target }) => {
        note(type, key, target.id || target.ariaLabel || target.textContent?.slice(0, 20) || target.tagName)
      }, true)
    }
    addEventListener('hashchange', ({ newURL }) => note('address', newURL))
    addEventListener('error', ({ message }) => note('error', message))
    addEventListener('unhandledrejection', ({ reason }) => note('rejection', reason))`)
}

/** Returns what a page shows, has the focus and was told last: the report of a test that failed on it. */
export async function reportOf(page: Page): Promise<string> {
  const found = page.evaluate<string>(`JSON.stringify({
    at: location.hash,
    focused: document.activeElement?.outerHTML.slice(0, 200),
    dialog: document.querySelector('dialog[open]')?.innerText.slice(0, 1000),
    shown: document.querySelector('main')?.innerText.slice(0, 500),
    notices: [...document.querySelectorAll('.notice')].map((one) => one.innerText),
    lists: [...document.querySelectorAll('.message-scroller')].map(
      ({ scrollTop, clientHeight, scrollHeight }) => ({ scrollTop, clientHeight, scrollHeight }),
    ),
    inputs: window.newestInputs,
  }, null, 2)`)
  const late = sleep(5_000, 'It does not respond.', { ref: false })
  return Promise.race([found.catch((error: Error) => error.message), late])
}
