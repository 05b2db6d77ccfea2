import { expect, test } from 'vitest'
import { languageWords } from '../../../src/markdown/highlight/languages.ts'
import { webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('the language of a block of code is completed, and the block is closed, in both boxes', async () => {
  const { org, ana, channel, topic } = await twoPeople(organization)
  const id = await sender(ana, channel)('Icons', '```\nround()\n```')
  const { page } = await browser.open(org, ana, topic('Icons'))
  const box = page.locator('.composer textarea')
  await box.click()
  await page.keyboard.type('```')
  await page.keyboard.press('Shift+Enter')
  expect(await box.inputValue()).toBe('```\n')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('js')
  await page.getByRole('option', { name: 'javascript', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('let round')
  expect(await box.inputValue()).toBe('```javascript\nlet round\n```')
  await page.locator(`article[data-id="${id}"] .content`).click()
  await page.keyboard.press('e')
  const area = page.locator('.edit-box textarea')
  await area.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('End')
  await page.keyboard.type('pyt')
  await page.getByRole('option', { name: 'python', selected: true }).waitFor()
  await page.keyboard.press('Tab')
  expect(await area.inputValue()).toBe('```python\nround()\n```')
})

test('the server knows every language that is suggested', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, topic('Icons'))
  const box = page.locator('.composer textarea')
  await box.waitFor()
  const found = new Set<string>()
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    await box.fill(`~~~${letter}`)
    const options = page.getByRole('option')
    await expect
      .poll(async () => (await options.count()) > 0 || !'bcdghijklmnpqrstx'.includes(letter))
      .toBe(true)
    for (const name of await options.allInnerTexts()) found.add(name.trim())
  }
  const blocks = ['math', 'quote', 'spoiler', 'text']
  expect(found.size).toBeGreaterThan(30)
  expect([...found].filter((name) => !blocks.includes(name) && !languageWords().includes(name))).toEqual([])
})
