import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser } from '../../browser/chromium.ts'
import { direct } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { violations } from '../axe.ts'
import { twoPeople } from '../two-people.ts'

// In a view with messages of several conversations, a bar at the top says to which one the messages there belong.

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

/** Ana has read three conversations, each longer than the view, and is at the end of a view that mixes them. */
async function scene(hash = '#feed', viewport: { width: number; height: number } = viewports.wide) {
  const made = await twoPeople(organization)
  const { org, ana, bo, say } = made
  for (let n = 1; n <= 16; n++) await say('Icons', `Icon ${n}\n\nin two parts`)
  for (let n = 1; n <= 16; n++) await direct(bo, [ana], `Direct ${n}\n\nin two parts`)
  for (let n = 1; n <= 16; n++) await say('Fonts', `Font ${n}\n\nin two parts`)
  await ana.post('/mark_all_as_read')
  const opened = await browser.open(org, ana, hash.replace('CHANNEL', String(made.channel.id)), { viewport })
  await opened.page.getByText('Font 16').waitFor()
  return { ...made, ...opened }
}

const rowOf = (page: Page, text: string) => page.locator('article', { hasText: new RegExp(`${text}\\b`) })

/** Scrolls until an element is this far below the top of the view, in pixels. */
const bringTo = (element: Locator, top: number) =>
  element.evaluate((one, wanted) => {
    const scroller = one.closest('.message-scroller')!
    scroller.scrollTop += one.getBoundingClientRect().top - scroller.getBoundingClientRect().top - wanted
  }, top)

/** Returns the text of the bar a few pixels below the top of the view; nothing if none is there. */
const atTop = (page: Page, below = 12) =>
  page.locator('.message-scroller').evaluate((scroller, distance) => {
    const { left, top } = scroller.getBoundingClientRect()
    const found = scroller.ownerDocument.elementFromPoint(left + 60, top + distance)
    return found?.closest('.conversation-bar')?.textContent?.trim() ?? ''
  }, below)

/** How many bars with this text the reader sees, whole or in part. */
const barsInView = (page: Page, text: string) =>
  page.locator('.conversation-bar', { hasText: text }).evaluateAll((bars) => {
    const seen = bars.filter((bar) => {
      const { left, top, bottom } = bar.getBoundingClientRect()
      const heights = [top + 1, (top + bottom) / 2, bottom - 1]
      return heights.some((y) => bar.contains(bar.ownerDocument.elementFromPoint(left + 20, y)))
    })
    return seen.length
  })

test('the top of the view names the conversation of the messages there, and follows the reader', async () => {
  const { page } = await scene()
  await expect.poll(() => atTop(page)).toMatch(/design.*Fonts/)
  await bringTo(rowOf(page, 'Direct 10'), 0)
  await expect.poll(() => atTop(page)).toBe('Bo Lind')
  await bringTo(rowOf(page, 'Icon 10'), 0)
  await expect.poll(() => atTop(page)).toMatch(/design.*Icons/)
  await page.mouse.move(400, 400)
  await page.mouse.wheel(0, 4000)
  await expect.poll(() => atTop(page)).toMatch(/design.*Fonts/)
})

test('the bar of the next conversation takes the place of the one at the top, without a moment of two', async () => {
  const { page } = await scene()
  const own = rowOf(page, 'Font 1').locator('.conversation-bar')
  for (const top of [60, 30, 20, 10, 5, 1, 0, -1, -10, -30, -60]) {
    await bringTo(own, top)
    await expect.poll(() => barsInView(page, 'Fonts'), { message: `${top}` }).toBe(1)
    await expect.poll(() => barsInView(page, 'Bo Lind'), { message: `${top}` }).toBe(top > 10 ? 1 : 0)
  }
})

test('the bar at the top leads where the own one does', async () => {
  const { page } = await scene()
  await bringTo(rowOf(page, 'Icon 10'), 0)
  await expect.poll(() => atTop(page)).toMatch(/Icons/)
  const box = (await page.locator('.message-scroller').boundingBox())!
  const topic = await page.locator('.top-bar a', { hasText: 'Icons' }).boundingBox()
  await page.mouse.click(topic!.x + 5, box.y + 12)
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toContain('Icons')
})

test('the feed of a channel has such a bar, and a view of one conversation has none', async () => {
  const { page, url, topic } = await scene('#narrow/channel/CHANNEL')
  await bringTo(rowOf(page, 'Icon 10'), 0)
  await expect.poll(() => atTop(page)).toBe('Icons')
  await page.goto(`${url}${topic('Icons')}`)
  await page.getByRole('heading', { level: 1, name: /Icons/ }).waitFor()
  await page.getByText('Icon 16').waitFor()
  await bringTo(rowOf(page, 'Icon 10'), 0)
  await page.evaluate('new Promise(requestAnimationFrame)')
  expect(await page.locator('.conversation-bar').count()).toBe(0)
})

test.each(['wide', 'phone'] as const)('the bar covers no message to which a key leads (%s)', async (size) => {
  const { page } = await scene('#feed', viewports[size])
  const row = rowOf(page, 'Direct 10')
  await row.locator('.content').click()
  await page.locator('.composer textarea').waitFor()
  await bringTo(row, 150)
  for (const n of [9, 8, 7, 6, 5]) {
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => page.locator('article.selected').innerText()).toMatch(`Direct ${n}\n`)
  }
  await expect.poll(() => atTop(page)).toBe('Bo Lind')
  await expect
    .poll(async () => {
      const [bar, one] = [
        await page.locator('.top-bar').boundingBox(),
        await page.locator('article.selected').boundingBox(),
      ]
      return one!.y - bar!.y - bar!.height
    })
    .toBeGreaterThanOrEqual(0)
})

test('the bar is no stop of the keyboard, and screen readers do not hear it twice', async () => {
  const { page } = await scene()
  await bringTo(rowOf(page, 'Direct 10'), 0)
  await expect.poll(() => atTop(page)).toBe('Bo Lind')
  const bar = page.locator('.top-bar')
  expect(await bar.locator('a').evaluateAll((links) => links.map((one) => one.tabIndex))).toEqual([-1])
  expect(await bar.getByRole('link').count()).toBe(0)
  expect(await violations(page)).toEqual([])
})

test('the bar takes the new name of its topic', async () => {
  const { page, ana } = await scene()
  await bringTo(rowOf(page, 'Icon 10'), 0)
  await expect.poll(() => atTop(page)).toMatch(/Icons/)
  const id = await rowOf(page, 'Icon 10').getAttribute('data-id')
  await ana.patch(`/messages/${id}`, { topic: 'Signs', propagate_mode: 'change_all' })
  await expect.poll(() => atTop(page)).toMatch(/Signs/)
})
