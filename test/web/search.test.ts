import { expect, test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { sender } from '../messages.ts'
import { sharedServer } from '../test-server.ts'
import { twoPeople } from './two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('pills and words by keyboard find messages, Enter shows them in context, and Back returns', async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  const other = await org.channel({ name: 'support', subscribers: [ana, bo] })
  await sender(bo, channel)('Dark theme', 'The elephant is too dark')
  await sender(bo, channel)('Dark theme', 'So is the mouse')
  await sender(bo, other)('Zoo', 'An elephant elsewhere')
  const { page, problems } = await browser.open(org, ana, '#inbox')
  await page.locator('.inbox-row', { hasText: 'Dark theme' }).waitFor()
  await page.keyboard.press('/')
  await page.locator('dialog [role=combobox]:focus').waitFor()
  await page.keyboard.type('channel:des')
  await page.keyboard.press('Enter')
  await page.locator('.pill', { hasText: 'channel: design' }).waitFor()
  await page.keyboard.type('elephant')
  await page.keyboard.press('Enter')
  await page.locator('article .highlight', { hasText: 'elephant' }).waitFor()
  expect(await page.locator('article').count()).toBe(1)
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('“elephant”')
  const results = page.url()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.locator('article', { hasText: 'So is the mouse' }).waitFor()
  expect(await page.locator('article .highlight').count()).toBe(0)
  await page.goBack()
  await page.locator('.row.selected', { hasText: 'elephant' }).waitFor()
  expect(page.url()).toBe(results)
  await page.keyboard.press('/')
  await page.locator('.pill', { hasText: 'elephant' }).waitFor()
  await page.getByRole('button', { name: 'Remove channel: design' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Search', exact: true }).click()
  await expect.poll(() => page.locator('article').count()).toBe(2)
  expect(problems.filter((text) => !text.startsWith('Loading the image'))).toEqual([])
})
