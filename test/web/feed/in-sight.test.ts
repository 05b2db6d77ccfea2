import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

async function scene() {
  const { org, ana, say, topic } = await twoPeople(organization)
  for (let i = 0; i < 40; i++)
    await say('Dark theme', i % 3 ? `Short ${i}` : `Long ${i}\n\nin\n\nfour\n\nparts`)
  return { org, ana, topic: topic('Dark theme') }
}

/** The corners and the middle of an element that something else hides, or that are outside of the page. */
function hidden(element: Locator) {
  return element.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect()
    const places = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.1, 0.9].map((y) => [x, y] as const))
    return places.filter(([x, y]) => {
      const found = one.ownerDocument.elementFromPoint(left + x * width, top + y * height)
      return !found || !(one.contains(found) || found.closest('label')?.contains(one))
    })
  })
}

/** The buttons, fields and links in a part of the page of which something is hidden by something else. */
async function hiddenIn(part: Locator) {
  const names: string[] = []
  for (const one of await part.locator('button, input, textarea, select, h1 a').all()) {
    if (!(await one.isVisible()) || (await hidden(one)).length === 0) continue
    names.push(await one.evaluate((element) => element.ariaLabel || element.textContent || element.tagName))
  }
  return names
}

/** Scrolls until a part of the row alone is in sight, at the top of the view, and points at it. */
async function showEndOf(page: Page, row: Locator, height: number) {
  await page.mouse.move(5, 5)
  await row.evaluate((one, rest) => {
    const scroller = one.closest('.message-scroller')!
    scroller.scrollTop += one.getBoundingClientRect().bottom - scroller.getBoundingClientRect().top - rest
  }, height)
  const box = (await page.locator('.message-scroller').boundingBox())!
  await page.mouse.move(box.x + 300, box.y + height / 2)
}

test('the tools of a message are whole: in a low row, at the top of the view, and for the last one', async () => {
  const { org, ana, topic } = await scene()
  const { page } = await browser.open(org, ana, topic)
  const row = (text: string) => page.locator('article', { hasText: text })
  const expectWhole = async (one: Locator, message = '') => {
    const tools = one.locator('.row-actions')
    await expect.poll(() => tools.count(), { message }).toBe(1)
    expect(await hiddenIn(tools), message).toEqual([])
  }
  await row('Short 1').first().hover()
  await expectWhole(row('Short 1').first())
  await page.keyboard.press('End')
  await row('Long 39').hover()
  await expectWhole(row('Long 39'))
  for (const height of [60, 30, 12]) {
    await showEndOf(page, row('Long 18'), height)
    await expectWhole(row('Long 18'), `${height}`)
  }
  // They take no room.
  const low = row('Short 20')
  await page.mouse.move(5, 5)
  await low.scrollIntoViewIfNeeded()
  const before = (await low.boundingBox())!.height
  await low.hover()
  await low.locator('.row-actions').waitFor()
  expect((await low.boundingBox())!.height).toBe(before)
})

test('the tools of a message that goes on with another one leave its text readable', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  for (const word of ['first', 'second'])
    await say('Icons', `The ${word} one. ${'A few more words. '.repeat(20)}`)
  const { page } = await browser.open(org, ana, topic('Icons'), { viewport: { width: 700, height: 600 } })
  const row = page.locator('article.grouped', { hasText: 'The second one' })
  await row.hover()
  const tools = (await row.locator('.row-actions').boundingBox())!
  const text = (await row.locator('.content p').boundingBox())!
  expect(tools.y + tools.height).toBeLessThanOrEqual(text.y + 3)
  await row.getByRole('button', { name: 'Star' }).click()
  await expect
    .poll(
      async () =>
        (await ana.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).body.messages[0]
          .flags,
    )
    .toContain('starred')
})

test.each(['wide', 'phone'] as const)(
  'notices hide nothing that is written in or pressed (%s)',
  async (size) => {
    const { org, ana, topic } = await scene()
    const { page, url } = await browser.open(org, ana, topic, { viewport: viewports[size] })
    await page.locator('.composer textarea').fill('Half a thought')
    await page.locator('article', { hasText: 'Short 2' }).first().click()
    await page.keyboard.press('Shift+U')
    // It stays while it has the focus.
    await page.locator('.notice button').focus()
    for (const part of ['.notices', '.composer', '.newer', '.view-head', '.bottom-bar'])
      expect(await hiddenIn(page.locator(part)), part).toEqual([])
    const [notice, box] = [
      await page.locator('.notice').boundingBox(),
      await page.locator('.composer').boundingBox(),
    ]
    expect(notice!.y + notice!.height).toBeLessThanOrEqual(box!.y)
    await page.goto(`${url}#inbox`)
    await page.getByRole('button', { name: 'Mark as read' }).first().click()
    await page.getByRole('button', { name: 'Undo' }).focus()
    for (const part of ['main', '.bottom-bar']) expect(await hiddenIn(page.locator(part)), part).toEqual([])
  },
)

test('the button of a notice is near by keyboard, and the notice stays while it has the focus', async () => {
  const { org, ana, topic } = await scene()
  const { page } = await browser.open(org, ana, topic)
  await page.locator('article', { hasText: 'Short 1' }).first().waitFor()
  await page.clock.install()
  await page.getByRole('button', { name: 'Topic actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark all as read' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  await page.locator('.composer textarea').focus()
  for (const _ of [1, 2]) await page.keyboard.press('Shift+Tab')
  expect(await undo.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
  await page.clock.runFor(60_000)
  await page.keyboard.press('Enter')
  await undo.waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('article.unread').count()).toBeGreaterThan(0)
})

test('the tools of a message do not lie over its text while that is changed', async () => {
  const { org, ana, channel, topic } = await twoPeople(organization)
  const say = sender(ana, channel)
  await say('Dark theme', 'First')
  const id = await say('Dark theme', 'Second')
  const { page } = await browser.open(org, ana, topic('Dark theme'), { viewport: viewports.phone })
  await page.locator(`article.grouped[data-id="${id}"] .content`).click()
  await page.keyboard.press('e')
  const text = page.locator('.edit-box textarea')
  await text.and(page.locator(':focus')).waitFor()
  await page.locator('.edit-box').hover()
  expect(await hidden(text)).toEqual([])
})
