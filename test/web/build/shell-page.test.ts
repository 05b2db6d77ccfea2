import { expect, onTestFinished, test, vi } from 'vitest'

type ShellPage = (event: { preloadResponse: Promise<unknown>; request: string }) => Promise<Response>

/** The part of the service worker that answers for the page, where "from the cache" is what it has cached. */
async function shellPage(): Promise<ShellPage> {
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.stubGlobal('buildAssets', [])
  vi.stubGlobal('caches', { open: async () => ({ match: async () => new Response('from the cache') }) })
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('The server cannot be reached.')
  })
  const shell = await import(new URL('../../../web/worker/shell.ts', import.meta.url).href)
  return shell.shellPage
}

test.each([
  ['the server', 'its page', async () => new Response('from the server')],
  ['a proxy whose server is away', 'the cached page', async () => new Response('', { status: 502 })],
  ['nothing, in Chromium', 'the cached page', () => Promise.reject(new TypeError('No network'))],
  ['nothing, in Firefox', 'the cached page', async () => Response.error()],
  ['nothing, where nothing is preloaded', 'the cached page', async () => undefined],
])('with an answer of %s, %s opens', async (_, page, preload) => {
  const show = await shellPage()
  const shown = await (await show({ preloadResponse: preload(), request: '/' })).text()
  expect(shown).toBe(page === 'its page' ? 'from the server' : 'from the cache')
})
