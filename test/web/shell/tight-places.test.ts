import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownerOf, viewports, webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** The buttons of which a corner lies outside of the window or below something else. */
function covered(page: Page, selector: string) {
  return page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      const corners = [left + 4, right - 4].flatMap((x) => [top + 4, bottom - 4].map((y) => [x, y]))
      return !corners.every(([x, y]) => one.contains(document.elementFromPoint(x, y)))
    })
    .map((one) => one.ariaLabel)`)
}

const formats = '.compose-formats button'

test.each([
  ['a window of middle width', 800, false],
  ['a window with details', 1120, true],
  ['a phone', 360, false],
])('all formats can be pressed: in %s', async (_, width, hasDetails) => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, topic('Icons'), { viewport: { width, height: 700 } })
  if (hasDetails) await page.locator('.members-button').click()
  if (hasDetails) await page.getByText('2 people').waitFor()
  await page.locator('.composer textarea').fill('Text')
  const more = page.locator('.composer').getByRole('button', { name: 'Formatting', exact: true })
  await more
    .or(page.locator(formats).filter({ visible: true }))
    .first()
    .waitFor()
  if (await more.isVisible()) await more.click()
  await page.locator(formats).first().waitFor()
  expect(await covered(page, '.compose-tools :is(.icon-button, .button):not(.more-tools)')).toEqual([])
  await page.locator(formats).last().click()
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toContain('$$')
})

test('in a wide window, all formats are shown without a press', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, topic('Icons'))
  await page.locator(formats).first().waitFor()
  expect(await covered(page, formats)).toEqual([])
  expect(await page.locator('.more-tools').isVisible()).toBe(false)
})

const right = async (one: Locator) => {
  const { x, width } = (await one.boundingBox())!
  return x + width
}

test('with large text, titles end with an ellipsis, and the link to the messages stays out of sight', async () => {
  const { org, ana } = await twoPeople(organization)
  await ana.patch('/settings', { web_font_size_px: 24, web_line_height_percent: 200 })
  const { page } = await browser.open(org, ana, '#recent', { viewport: viewports.phone })
  const title = page.getByRole('heading', { level: 1 })
  await title.waitFor()
  const { width, shown, style } = await title.evaluate((one) => ({
    width: one.scrollWidth,
    shown: one.clientWidth,
    style: one.ownerDocument.defaultView!.getComputedStyle(one).textOverflow,
  }))
  expect(width).toBeGreaterThan(shown)
  expect(style).toBe('ellipsis')
  const link = page.locator('.skip-link')
  const bottom = async () => {
    const { y, height } = (await link.boundingBox())!
    return y + height
  }
  expect(await bottom()).toBeLessThanOrEqual(0)
  await link.focus()
  await expect.poll(bottom).toBeGreaterThan(40)
})

test('in German, the table of notifications fits a window at a zoom of 400 %', async () => {
  const { org, ana } = await twoPeople(organization)
  const options = { viewport: { width: 320, height: 640 }, locale: 'de-DE' }
  const { page } = await browser.open(org, ana, '#settings/notifications', options)
  await page.locator('.set-matrix').first().waitFor()
  expect(await right(page.locator('.set-matrix').first())).toBeLessThanOrEqual(320)
  const content = page.locator('.settings-content')
  expect(await content.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
})

test('beside the list of settings, a note keeps room next to a long choice', async () => {
  const { org } = await twoPeople(organization)
  const owner = await ownerOf(org)
  await org.channel({
    name: 'news of all kinds for all people who work here or want to',
    subscribers: [owner],
  })
  const options = { viewport: { width: 900, height: 600 } }
  const { page } = await browser.open(org, owner, '#organization/channels', options)
  const row = page.locator('.set-row:has(select):has(.set-note)').first()
  await row.waitFor()
  expect((await row.locator('.set-note').boundingBox())!.width).toBeGreaterThan(200)
  expect(await right(row.locator('select'))).toBeLessThan(900)
})

test('on a phone, what is wrong with files leaves the box in sight, and an upload can be canceled', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, topic('Icons'), { viewport: viewports.phone })
  let isRefused = false
  const answer = {
    status: 400,
    json: { result: 'error', code: 'BAD_REQUEST', msg: 'No room is left. '.repeat(12) },
  }
  await page.route('**/json/user_uploads', (route) => isRefused && void route.fulfill(answer))
  const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('hoot') })
  const choose = (names: string[]) =>
    page.locator('.composer input[type=file]').setInputFiles(names.map(file))
  await choose([`The minutes of the meeting of the ${'very '.repeat(8)}first week.txt`])
  const cancel = page.getByRole('button', { name: /^Cancel the upload/ })
  await cancel.waitFor()
  expect(await right(cancel)).toBeLessThanOrEqual(viewports.phone.width)
  await cancel.click()
  await cancel.waitFor({ state: 'detached' })
  isRefused = true
  await choose([1, 2, 3].map((number) => `${'owl-'.repeat(30)}${number}.txt`))
  await expect.poll(() => page.locator('.notice.failure').count()).toBe(3)
  const send = (await page.getByRole('button', { name: 'Send', exact: true }).boundingBox())!
  const bar = (await page.locator('.bottom-bar').boundingBox())!
  expect(send.y + send.height).toBeLessThanOrEqual(bar.y)
  await page.locator('.notice.failure').last().getByRole('button', { name: 'Close the notice' }).click()
  await expect.poll(() => page.locator('.notice.failure').count()).toBe(2)
})

test.each([
  ['a window of middle width', false],
  ['a phone', true],
])('code that begins a message can be copied below the tools of the message: in %s', async (_, isPhone) => {
  const options = isPhone
    ? { viewport: viewports.phone, hasTouch: true, isMobile: true }
    : { viewport: { width: 1000, height: 600 } }
  const { org, ana, say, topic } = await twoPeople(organization)
  for (const word of ['one', 'two']) {
    await say('Icons', `\`\`\`ts\nconst ${word} = ${'1 + '.repeat(60)}1\n\`\`\``)
  }
  const { page } = await browser.open(org, ana, topic('Icons'), options)
  const code = page.locator('article .codehilite').last()
  await (isPhone ? code.tap() : code.hover())
  await page.locator('.row-actions').waitFor()
  const copy = code.getByRole('button', { name: 'Copy' })
  expect(
    await copy.evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one.parentElement!).opacity),
  ).toBe('1')
  expect(await covered(page, 'article:last-of-type .code-tools button')).toEqual([])
  const [button, block, tools] = await Promise.all(
    [copy, code, code.locator('.code-tools')].map((one) => one.boundingBox()),
  )
  expect(tools!.x).toBeGreaterThan(block!.x)
  // At the end of the line, which does not show through.
  expect(block!.x + block!.width - tools!.x - tools!.width).toBeLessThan(8)
  const background = await code
    .locator('.code-tools')
    .evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one).backgroundColor)
  expect(background).not.toBe('rgba(0, 0, 0, 0)')
  // Its name stays on one line.
  expect(button!.height).toBeLessThan(30)
})

test('with forced colors, an outline shows the chosen view, line and filter', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  await say('Icons', 'One')
  await say('Icons', 'Two')
  const { page, url } = await browser.open(org, ana, topic('Icons'), { forcedColors: 'active' })
  const style = (selector: string, name: 'outlineStyle' | 'borderInlineStartColor') =>
    page
      .locator(selector)
      .first()
      .evaluate((one, key) => one.ownerDocument.defaultView!.getComputedStyle(one)[key], name)
  await page.locator('article').nth(1).click()
  await page.locator('.row.selected').waitFor()
  expect(await style('.row.selected .row-body', 'borderInlineStartColor')).not.toBe(
    await style('.row:not(.selected) .row-body', 'borderInlineStartColor'),
  )
  expect(await style('.rail-item[aria-current]', 'outlineStyle')).toBe('solid')
  expect(await style('.rail-item:not([aria-current])', 'outlineStyle')).toBe('none')
  await page.keyboard.press('Control+k')
  await page.locator('.jump-places [aria-selected=true]').waitFor()
  expect(await style('.jump-places [aria-selected=true]', 'outlineStyle')).toBe('solid')
  await page.keyboard.press('Escape')
  await page.goto(`${url}#inbox`)
  await page.locator('.inbox-filter').waitFor()
  expect(await style('.inbox-filter [aria-pressed=true]', 'outlineStyle')).toBe('solid')
})

test('on a phone, the open tab of the settings of a channel is in view', async () => {
  const { org, ana, channel } = await twoPeople(organization)
  const hash = `#channels/${channel.id}/subscribers`
  const { page } = await browser.open(org, ana, hash, { viewport: { width: 320, height: 640 } })
  const tab = page.getByRole('tab', { name: 'Subscribers', selected: true })
  const isWhole = () =>
    tab.evaluate((one) => {
      const [inner, outer] = [one, one.parentElement!].map((element) => element.getBoundingClientRect())
      return inner!.left >= outer!.left - 1 && inner!.right <= outer!.right + 1
    })
  await expect.poll(isWhole).toBe(true)
})

test('on a phone, a row of the recent conversations has room for its topic', async () => {
  const { org, ana, say } = await twoPeople(organization)
  await say('Customers cannot log in', 'Since noon')
  const { page } = await browser.open(org, ana, '#recent', { viewport: viewports.phone })
  const name = page.locator('.inbox-name', { hasText: 'Customers cannot log in' })
  await name.waitFor()
  const { needed, shown } = await name.evaluate((one) => ({
    needed: one.scrollWidth,
    shown: one.clientWidth,
  }))
  expect(needed).toBeLessThanOrEqual(shown)
  expect(await name.innerText()).toBe('design\nCustomers cannot log in')
})
