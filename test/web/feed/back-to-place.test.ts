import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

// Going back leads to where the reader was.

const { organization } = sharedServer()
const browser = webBrowser()

/** Ana has read a long topic, and has it open. */
async function longTopic() {
  const made = await twoPeople(organization)
  for (let i = 0; i < 30; i++) await made.say('Icons', `Message ${i}\n\nin two parts`)
  await made.ana.post('/mark_all_as_read')
  const opened = await browser.open(made.org, made.ana, made.topic('Icons'))
  await opened.page.getByText('Message 29').waitFor()
  return { ...made, ...opened }
}

/** How far below the top of the view a message is. */
const topOf = (page: Page, text: string) =>
  page.locator('article', { hasText: text }).evaluate((row) => {
    const scroller = row.closest('.message-scroller')!
    return Math.round(row.getBoundingClientRect().top - scroller.getBoundingClientRect().top)
  })

/** The reader scrolls up, and rests there. */
async function scrollUp(page: Page) {
  // Safari before 26.2 has no such event.
  await page.evaluate("addEventListener('scrollend', (event) => event.stopImmediatePropagation(), true)")
  await page.locator('.message-scroller').evaluate((scroller) => {
    scroller.scrollTop -= 900
  })
  await page.getByText('Message 12').waitFor()
  await expect.poll(() => page.evaluate('history.state?.place')).toBeDefined()
}

test('going back shows the messages where they were, also after a reload', async () => {
  const { page, url, say } = await longTopic()
  await scrollUp(page)
  const before = await topOf(page, 'Message 12')
  await page.goto(`${url}#inbox`)
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await say('Icons', 'One more')
  await page.goBack()
  await expect.poll(() => topOf(page, 'Message 12')).toBe(before)
  await page.reload()
  await page.getByText('Message 12').waitFor()
  await expect.poll(() => topOf(page, 'Message 12')).toBe(before)
})

test('who was at the end is led to what has come since', async () => {
  const { page, url, say, topic } = await longTopic()
  await scrollUp(page)
  await page.keyboard.press('End')
  await expect.poll(() => page.evaluate('history.state?.place')).toBeUndefined()
  await page.goto(`${url}#inbox`)
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  for (let i = 30; i < 33; i++) await say('Icons', `Message ${i}`)
  await page.getByRole('main').getByText('Message 32').waitFor()
  await page.goBack()
  await page.locator('.unread-line').waitFor()
  await page.goto(`${url}${topic('Shapes')}`)
  await page.goto(`${url}${topic('Icons')}`)
  await page.getByText('Message 32').waitFor()
})

test('a message is selected also where the browser refuses to keep that in its history', async () => {
  const { page, problems } = await longTopic()
  // As Safari does after 100 changes within ten seconds.
  await page.evaluate("history.replaceState = () => { throw new DOMException('No', 'SecurityError') }")
  for (const text of ['Message 29', 'Message 28']) {
    await page.keyboard.press('k')
    await page.locator('article.selected', { hasText: text }).waitFor()
  }
  expect([problems, await page.locator('.notice').count()]).toEqual([[], 0])
})
