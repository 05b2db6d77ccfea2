import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { changeRealm, sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('a reader without an account reads the web-public channels, and nothing more', async () => {
  const org = await organization()
  await changeRealm(org, { enable_spectator_access: true })
  const bo = await webUser(org, 'Bo Lind')
  const open = await org.channel({ name: 'open house', isWebPublic: true, subscribers: [bo] })
  const closed = await org.channel({ name: 'closed', subscribers: [bo] })
  const id = await sender(bo, open)('Hours', 'We are **open** today.')
  await bo.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await sender(bo, open)('Prices', 'All is free.')
  await sender(bo, closed)('Plans', 'Not for the public.')
  const { page, url, problems } = await browser.open(org, undefined, `#narrow/channel/${open.id}/topic/Hours`)
  await page.getByText('We are open today.').waitFor()
  for (const near of [id, id + 1, id]) {
    await page.evaluate(`location.hash = '#narrow/channel/${open.id}/near/${near}'`)
    await page.locator(`.selected[data-id="${near}"]`).waitFor()
  }
  await page.goto(url)
  await page.getByText('All is free.').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Combined feed' }).waitFor()
  await expect.poll(() => page.title()).toContain('Combined feed')
  await page.locator('[aria-current=page]', { hasText: 'Combined feed' }).waitFor()
  await page.getByText('We are open today.').hover()
  const rail = page.getByRole('navigation')
  await expect.poll(() => rail.getByRole('link').allInnerTexts()).toEqual(['Combined feed', 'open house'])
  expect(await page.getByText('Not for the public.').count()).toBe(0)
  expect(await page.locator('textarea, .row-actions').count()).toBe(0)
  expect(await page.locator('.reaction').isDisabled()).toBe(true)
  await page.getByText('All is free.').click()
  for (const key of ['r', '+', 'c', 'x', 'e', 'Shift+U', 'i']) await page.keyboard.press(key)
  expect(await page.locator('dialog, textarea').count()).toBe(0)
  await rail.getByRole('link', { name: 'open house' }).click()
  await page.getByRole('heading', { level: 1, name: 'open house' }).waitFor()
  expect(problems.filter((text) => !/401/.test(text))).toEqual([])
  await page.setViewportSize(viewports.phone)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: /Sign in/ }).waitFor()
  expect(decodeURIComponent(page.url())).toContain(`/#narrow/channel/${open.id}`)
})

test('without such channels, the sign-in page is shown', async () => {
  const org = await organization()
  const { page } = await browser.open(org, undefined, '')
  await page.getByRole('heading', { name: /Sign in/ }).waitFor()
})
