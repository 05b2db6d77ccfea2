import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

// An answer may reach the page after events that are newer than it.

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

const scene = () => twoPeople(organization)

/** Has the server answer the next request that matches, and keeps the answer from the page until it is released. */
async function holdAnswer(page: Page, pattern: string) {
  const answered = page.waitForResponse((response) => response.url().includes(pattern))
  await page.evaluate(`(() => {
    const original = window.fetch
    const released = new Promise((resolve) => addEventListener('release', resolve, { once: true }))
    window.fetch = async (...request) => {
      const response = await original(...request)
      if (!String(request[0]).includes('${pattern}')) return response
      window.fetch = original
      await released
      return response
    }
  })()`)
  return { answered, release: () => page.evaluate(`dispatchEvent(new Event('release'))`) }
}

test('a message that moves in after a newer one came is shown above it', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  const id = await sender(ana, channel)('Colors', 'Belongs elsewhere')
  const { page } = await browser.open(org, bo, topic('Icons'))
  await page.getByText('No messages here yet').waitFor()
  const held = await holdAnswer(page, 'message_ids')
  await ana.patch(`/messages/${id}`, { topic: 'Icons', send_notification_to_new_thread: true })
  await held.answered
  await page.getByText('was moved here').waitFor()
  await held.release()
  await page.getByText('Belongs elsewhere').waitFor()
  expect(await page.locator('article').allInnerTexts()).toMatchObject([
    expect.stringContaining('Belongs elsewhere'),
    expect.stringContaining('was moved here'),
  ])
})

test('what changed while messages were being read is shown', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  const send = sender(ana, channel)
  const edited = await send('Colors', 'Too blue')
  const deleted = await send('Colors', 'Never mind')
  const { page } = await browser.open(org, bo, topic('Icons'))
  await page.getByText('No messages here yet').waitFor()
  const held = await holdAnswer(page, 'Colors')
  await page.evaluate(`location.hash = '${topic('Colors')}'`)
  await held.answered
  await ana.patch(`/messages/${edited}`, { content: 'Too green' })
  await org.owner.delete(`/messages/${deleted}`)
  await send('Colors', 'Better so?')
  await send('Sizes', 'Comes last')
  await page.getByRole('navigation').getByText('Sizes').waitFor()
  await held.release()
  await page.getByText('Better so?').waitFor()
  await page.getByText('Too green').waitFor()
  expect(await page.getByText('Never mind').count()).toBe(0)
})

test('a link to a deleted message leads to the one after it, and the list goes on following', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  const send = sender(ana, channel)
  await send('Colors', 'The first')
  const deleted = await send('Colors', 'Never mind')
  await send('Colors', 'The third')
  await org.owner.delete(`/messages/${deleted}`)
  const { page } = await browser.open(org, bo, `${topic('Colors')}/near/${deleted}`)
  await page.locator('[data-id].selected', { hasText: 'The third' }).waitFor()
  for (let i = 0; i < 30; i++) await send('Colors', `Line ${i}`)
  await page.getByText('Line 29').waitFor()
  const bottom = async () => {
    const box = await page.locator('article').last().boundingBox()
    return box && box.y + box.height
  }
  await expect.poll(bottom).toBeLessThan(viewports.wide.height)
})
