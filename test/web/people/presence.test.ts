import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { secureHost, sharedServer } from '../../test-server.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

const reported = (page: Page, status: 'active' | 'idle') =>
  page.waitForRequest(
    (request) =>
      request.url().endsWith('/users/me/presence') && request.postData()!.includes(`status=${status}`),
  )

test('a user of the client is shown as active to others, and as idle without input', async () => {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const channel = await org.channel({ name: 'design', creator: ana, subscribers: [ana, bo] })
  const hash = `#narrow/channel/${channel.id}-design/topic/One`
  const { page: boPage } = await browser.open(org, bo, hash)
  await boPage.getByRole('button', { name: '2 members' }).click()
  const person = boPage.locator('.person', { hasText: 'Ana Ruiz' })
  await person.getByRole('img', { name: 'Offline' }).waitFor()
  const { page, context } = await browser.open(org, ana)
  await person.getByRole('img', { name: 'Active' }).waitFor()
  const { body } = await bo.get(`/users/${ana.id}/presence`)
  expect(body.presence.aggregated.status).toBe('active')

  // Time that passes is simulated, in a page of its own.
  const later = await context.newPage()
  await later.clock.install()
  const first = reported(later, 'active')
  await later.goto(page.url())
  await first
  const idle = reported(later, 'idle')
  await later.clock.runFor('06:00')
  await idle
  const back = reported(later, 'active')
  await later.keyboard.press('Shift')
  await back
})

test('a user who hides their presence is not shown', async () => {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  await ana.patch('/settings', { presence_enabled: false })
  const { page } = await browser.open(org, ana)
  const response = page.waitForResponse((one) => one.url().endsWith('/users/me/presence'))
  await page.reload()
  expect((await response).status()).toBe(200)
  const { body } = await bo.get('/realm/presence')
  expect(Object.keys(body.presences)).not.toContain('ana.ruiz@example.com')
})

test('of the hidden tabs of a browser, one reports', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const { page, context } = await browser.open(org, ana)
  const url = page.url()
  await page.close()
  await context.addInitScript(
    `Object.defineProperty(Document.prototype, 'visibilityState', { get: () => 'hidden' })`,
  )
  const hiddenTab = async () => {
    const tab = await context.newPage()
    await tab.clock.install()
    const reports: string[] = []
    tab.on('request', (request) => {
      if (request.url().endsWith('/users/me/presence')) reports.push(request.url())
    })
    await tab.goto(url)
    await expect.poll(() => reports.length).toBe(1)
    return { tab, reports }
  }
  const first = await hiddenTab()
  const second = await hiddenTab()
  await second.tab.clock.runFor('03:00')
  await first.tab.clock.runFor('03:00')
  await expect.poll(() => first.reports.length).toBeGreaterThan(1)
  expect(second.reports).toHaveLength(1)
})
