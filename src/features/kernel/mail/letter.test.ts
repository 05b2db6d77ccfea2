import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../../../test/browser/browser-engine.ts'
import { letter } from './letter.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(() => browser?.close())

test.each([360, 1_000])('a word of any length stays within the width of a mail: %i pixels', async (width) => {
  const word = 'Donaudampfschifffahrtsgesellschaft'.repeat(8)
  const { html } = letter([
    word,
    { heading: `#${word}`, url: `http://chat.test/${word}` },
    { from: word, quote: word },
    { link: `Open ${word}`, url: `http://chat.test/${word}` },
    { small: word },
  ])
  const page = await browser.newPage({ viewport: { width, height: 800 } })
  await page.setContent(html)
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width)
  await page.close()
})
