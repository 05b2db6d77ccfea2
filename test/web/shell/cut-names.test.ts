import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const channelName = 'a channel whose name is as long as names may be, or nearly so'
const topicName = 'A topic whose name is nearly as long as those of topics may'

async function scene() {
  const { org, ana, bo, say } = await twoPeople(organization)
  const long = await org.channel({ name: channelName, subscribers: [ana, bo] })
  await say('Icons', 'Short')
  const message = { type: 'stream', to: [long.id], topic: topicName, content: 'Hello' }
  expect((await bo.post('/messages', message)).body.result).toBe('success')
  return { org, ana, long }
}

const tip = (page: Page) => page.locator('.cut-name')
const link = (page: Page, name: string) => page.locator('.rail').getByRole('link', { name })

/** Moves the focus by the keyboard until it is in what `selector` names. */
async function tabTo(page: Page, selector: string) {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  throw new Error(`Tab does not lead to ${selector}`)
}

/** Goes to the name of the channel until it is shown in full: what shows names is loaded after the first view. */
async function untilShown(page: Page, goThere: () => Promise<void>) {
  const shown = async () => {
    await goThere()
    const texts = () => tip(page).allInnerTexts()
    return tip(page)
      .first()
      .waitFor({ timeout: 600 })
      .then(texts, () => [])
  }
  await expect.poll(shown).toEqual([channelName])
}

test('a name that is cut off is shown in full below the pointer, and others are not', async () => {
  const { org, ana, long } = await scene()
  const { page, problems } = await browser.open(org, ana, '#inbox')
  await page.locator('.inbox-row').first().waitFor()
  const rest = async () => {
    await link(page, 'design').hover()
    await link(page, channelName).hover()
  }
  await untilShown(page, rest)
  const [name, whole] = [
    await link(page, channelName).locator('.rail-text').boundingBox(),
    await tip(page).boundingBox(),
  ]
  expect(whole!.width).toBeGreaterThan(name!.width)
  expect(Math.abs(whole!.y + whole!.height / 2 - (name!.y + name!.height / 2))).toBeLessThan(4)
  // It stays while the pointer is on it, and clicks go through it.
  await page.mouse.move(whole!.x + whole!.width - 5, whole!.y + 5)
  await expect.poll(() => tip(page).count()).toBe(1)
  await link(page, channelName).hover()
  await page.keyboard.press('Escape')
  await expect.poll(() => tip(page).count()).toBe(0)
  await rest()
  await tip(page).waitFor()
  await page.mouse.down()
  await page.mouse.up()
  await expect.poll(() => page.url()).toContain(`#narrow/channel/${long.id}`)
  await expect.poll(() => tip(page).count()).toBe(0)
  expect(problems).toEqual([])
})

test('the keyboard leads to the whole of names that are cut off: in the list, the inbox and the title', async () => {
  const { org, ana, long } = await scene()
  const { page, url } = await browser.open(org, ana, '#inbox', { viewport: { width: 760, height: 700 } })
  await page.locator('.inbox-row').first().waitFor()
  await tabTo(page, `.rail-item[href*="channel/${long.id}-"]`)
  await untilShown(page, async () => {
    for (const key of ['Shift+Tab', 'Tab']) await page.keyboard.press(key)
  })
  await tabTo(page, `.inbox-row a[href*="channel/${long.id}-"]`)
  await expect.poll(() => tip(page).allInnerTexts()).toEqual([topicName])
  await page.goto(
    `${url}#narrow/channel/${long.id}/topic/${encodeURIComponent(topicName).replaceAll('%', '.')}`,
  )
  await page.locator('article').first().waitFor()
  await tabTo(page, '.view-head h1 a')
  await expect.poll(() => tip(page).allInnerTexts()).toEqual([`${channelName} › ${topicName}`])
  const whole = (await tip(page).boundingBox())!
  expect(whole.x + whole.width).toBeLessThanOrEqual(760)
  await tabTo(page, '.composer textarea')
  await expect.poll(() => tip(page).count()).toBe(0)
})

test('a finger that scrolls past names opens nothing', async () => {
  const { org, ana } = await scene()
  const touch = { viewport: viewports.phone, hasTouch: true, isMobile: true }
  const { page } = await browser.open(org, ana, '#inbox', touch)
  await page.locator('.inbox-row', { hasText: topicName }).tap()
  await page.locator('article', { hasText: 'Hello' }).waitFor()
  expect(await tip(page).count()).toBe(0)
})
