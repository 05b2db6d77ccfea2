import type { Page } from 'playwright-core'

/** The server carries out the next request whose path ends so, and its answer is lost. */
export async function loseAnswer(page: Page, method: string, end: RegExp) {
  await page.evaluate(`(() => {
    const fetched = fetch
    window.fetch = async (url, init) => {
      const answer = await fetched(url, init)
      if (init?.method !== '${method}' || !${end}.test(url)) return answer
      window.fetch = fetched
      throw new TypeError('The answer is lost.')
    }
  })()`)
}
