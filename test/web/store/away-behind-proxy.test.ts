import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { contentsOf } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

// A proxy whose server is away, or that refuses a request itself, answers with a page of its own.

const { organization } = sharedServer()
const browser = webBrowser()

async function scene() {
  const { org, ana, channel, say, topic } = await twoPeople(organization)
  await say('Dark theme', 'The first message')
  const opened = await browser.open(org, ana, topic('Dark theme'))
  await opened.page.getByText('The first message').waitFor()
  return { ...opened, ana, channel, box: opened.page.locator('.composer textarea') }
}

/** Answers such requests as a proxy does, until it is told to pass them on. */
async function proxyAnswers(page: Page, path: string, status: number) {
  const proxy = { isAway: true, answered: 0 }
  await page.route(path, async (route) => {
    if (!proxy.isAway) return route.continue()
    await route.fulfill({ status, contentType: 'text/html', body: '<html><h1>The proxy says no</h1></html>' })
    proxy.answered++
  })
  return proxy
}

const owl = { name: 'owl.txt', mimeType: 'text/plain', buffer: Buffer.from('hoot') }

test('a message waits as long as only a proxy answers, and arrives once', async () => {
  const { page, box, ana, channel } = await scene()
  await page.clock.install()
  const proxy = await proxyAnswers(page, '**/json/messages', 502)
  await box.fill('Patient')
  await box.press('Control+Enter')
  const answered = async () => {
    await page.clock.runFor(31_000)
    return proxy.answered
  }
  await expect.poll(answered).toBeGreaterThan(8)
  expect(await page.locator('.row.failed').count()).toBe(0)
  proxy.isAway = false
  const sent = async () => {
    await page.clock.runFor(31_000)
    return (await contentsOf(ana, channel)).map(([, content]) => content)
  }
  await expect.poll(sent).toEqual(['The first message', 'Patient'])
})

test('what a user does while only a proxy answers is said not to have reached the server', async () => {
  const { page, box } = await scene()
  await proxyAnswers(page, '**/json/messages/*/reactions', 504)
  await page.locator('article', { hasText: 'The first message' }).click()
  await page.keyboard.press('+')
  await page.getByText('The server cannot be reached. Try again in a moment.').first().waitFor()
  await proxyAnswers(page, '**/json/user_uploads', 503)
  await page.locator('.composer input[type=file]').setInputFiles(owl)
  await page.getByText('owl.txt was not uploaded: the server cannot be reached.').first().waitFor()
  await expect.poll(() => box.inputValue()).toBe('')
})

test('a file that a proxy refuses is said to be refused, with the status', async () => {
  const { page } = await scene()
  await proxyAnswers(page, '**/json/user_uploads', 413)
  await page.locator('.composer input[type=file]').setInputFiles(owl)
  await page.getByText('owl.txt was not uploaded: HTTP 413').first().waitFor()
})
