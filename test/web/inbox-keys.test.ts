import { expect, test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { sender } from '../messages.ts'
import { sharedServer } from '../test-server.ts'
import { twoPeople } from './two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('in the inbox, keys choose a conversation, mark it as read, mute it and open it', async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  for (const topic of ['One', 'Two', 'Three', 'Four']) await sender(bo, channel)(topic, 'Hello')
  const { page } = await browser.open(org, ana, '#inbox')
  const row = (name: string) =>
    page.locator('.inbox-row', { has: page.locator('.inbox-name', { hasText: name }) })
  await row('One').waitFor()
  await row('Four').locator('a').focus()
  await page.keyboard.press('e')
  await row('Four').waitFor({ state: 'detached' })
  await page.getByText('1 message marked as read.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('Four').waitFor()
  await row('Three').locator('a').focus()
  await page.keyboard.press('Shift+M')
  await row('Three').waitFor({ state: 'detached' })
  await row('Four').locator('a').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /One/ }).waitFor()
  expect(page.url()).toContain('topic/One')
})
