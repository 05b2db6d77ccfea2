import { expect, test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { testServer } from '../test-server.ts'
import { twoPeople } from './two-people.ts'

const { organization } = testServer()
const browser = webBrowser()

const scene = () => twoPeople(organization)

test('a reaction that is pressed keeps the focus', async () => {
  const { org, ana, bo, say, topic } = await scene()
  const id = await say('Icons', 'Which grey is it?')
  for (const emoji_name of ['tada', 'heart']) await bo.post(`/messages/${id}/reactions`, { emoji_name })
  const { page } = await browser.open(org, ana, topic('Icons'))
  const reaction = page.locator('.reaction', { hasText: '❤' })
  await reaction.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => reaction.innerText()).toMatch(/2/)
  await page.locator('.reaction:focus', { hasText: '❤' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => reaction.innerText()).toMatch(/1/)
  await page.locator('.reaction:focus', { hasText: '❤' }).waitFor()
})
