import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { keepNow } from '../kept-state.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

test('a text that the last visit has saved is not saved again before its draft is known', async () => {
  const { org, ana, channel, topic } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, topic('Icons'))
  const box = page.locator('.composer textarea')
  await box.waitFor()
  await keepNow(page, ana.id)
  const kept = `localStorage.getItem('rookery.drafts.${ana.id}')`
  await page.route(/\/json\/drafts$/, (route) => route.abort())
  await box.fill('Too round')
  await expect.poll(() => page.evaluate<string>(kept)).toContain('Too round')
  const registering = await holdRequests(page, /\/json\/register$/)
  await page.reload()
  await expect.poll(registering.count).toBe(1)
  await page.unroute(/\/json\/drafts$/)
  // As if the server had made the draft, and its answer were lost.
  const draft = { type: 'stream', to: [channel.id], topic: 'Icons', content: 'Too round' }
  await ana.post('/drafts', { drafts: [{ ...draft, timestamp: 1_700_000_000 }] })
  await expect.poll(() => box.inputValue()).toBe('Too round')
  const saves: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/json/drafts')) saves.push(request.url())
  })
  // Longer than a text waits to be saved.
  await page.waitForTimeout(2500)
  registering.pass()
  await expect.poll(() => page.evaluate<string>(kept)).toContain('"id":')
  await box.fill('Too round, and too small')
  const contents = async () => (await ana.get('/drafts')).body.drafts.map((one: typeof draft) => one.content)
  await expect.poll(contents).toEqual(['Too round, and too small'])
  expect(saves).toEqual([])
})
