import { readdirSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const assets = new URL('../../../dist/web/assets/', import.meta.url)

/** The part with which a page begins to tell others what its user does. Parts that it loads have its name, and are larger. */
function beginning(): RegExp {
  const named = readdirSync(assets).filter((name) => /^writing-.*\.js$/.test(name))
  const [name = ''] = named.sort(
    (a, b) => statSync(new URL(a, assets)).size - statSync(new URL(b, assets)).size,
  )
  return new RegExp(`/${name}$`)
}

test('a page lists no draft twice while it begins', async () => {
  const { org, ana, channel } = await twoPeople(organization)
  const { page, url } = await browser.open(org, ana, `#narrow/channel/${channel.id}`)
  await page.locator('.composer textarea').fill('Its topic comes later')
  await expect.poll(async () => (await ana.get('/drafts')).body.drafts.length).toBe(1)
  await page.goto(`${url}#drafts`)
  const rows = page.getByRole('button', { name: /^Continue writing/ })
  await rows.waitFor()
  const begun = await holdRequests(page, beginning())
  await page.reload()
  await rows.waitFor()
  await expect.poll(begun.count).toBe(1)
  expect(await rows.count()).toBe(1)
  expect(await rows.getAttribute('aria-label')).toBe(`Continue writing: #${channel.name}`)
})

test('text that the user adds while a page begins keeps the text that only the browser has', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, topic('Icons'))
  const box = page.locator('.composer textarea')
  await page.route(/\/json\/drafts$/, (route) => route.abort())
  await box.fill('Too round')
  const begun = await holdRequests(page, beginning())
  await page.reload()
  await box.waitFor()
  await expect.poll(begun.count).toBe(1)
  await box.press('End')
  await box.pressSequentially(', and too small')
  expect(await box.inputValue()).toBe('Too round, and too small')
})
