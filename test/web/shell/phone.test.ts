import { expect, test } from 'vitest'
import { ownerOf, viewports, webBrowser } from '../../browser/chromium.ts'
import { contentsOf } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const touch = { hasTouch: true, isMobile: true }
const phone = { ...touch, viewport: { width: 390, height: 844 } }
/** The part of a phone's screen that its keyboard leaves. */
const aboveKeyboard = { ...touch, viewport: { width: 390, height: 450 } }

const longTopic = 'A topic whose name is as long as the names of topics may be'

test('on a phone, suggestions are whole above the keyboard, and as large as a finger', async () => {
  const { org, ana, channel, say, topic } = await twoPeople(organization)
  for (const name of ['Bob', 'Bonnie', 'Boris', 'Bodo', 'Boaz', 'Bohumil', 'Bojan'])
    await org.person({ name })
  await say(longTopic, 'Hello')
  const { page, url } = await browser.open(org, ana, topic('Dark theme'), aboveKeyboard)
  const list = page.getByRole('listbox')
  const options = list.getByRole('option')
  const isWhole = async () => {
    const { x, y, width, height } = (await list.boundingBox())!
    expect([x >= 0, y >= 0, x + width <= 390, y + height <= 450]).toEqual([true, true, true, true])
    expect(await list.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
    expect((await options.first().boundingBox())!.height).toBeGreaterThanOrEqual(44)
  }
  await page.locator('.composer textarea').tap()
  await page.keyboard.type('Hello @bo')
  await options.first().waitFor()
  await expect.poll(() => options.count()).toBe(8)
  await isWhole()
  const last = (await options.last().innerText()).split('\n')[0]
  await page.keyboard.press('ArrowUp')
  expect(await options.last().evaluate((one) => one.getBoundingClientRect().bottom)).toBeLessThan(450)
  await options.last().tap()
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe(`Hello @**${last}** `)
  await page.goto(`${url}#narrow/channel/${channel.id}`)
  await page.getByRole('combobox', { name: 'Topic' }).tap()
  await page.keyboard.type('topic')
  await options.first().waitFor()
  await isWhole()
  await options.first().tap()
  await expect.poll(() => page.getByRole('combobox', { name: 'Topic' }).inputValue()).toBe(longTopic)
})

test('on a phone, a topic is begun from every view', async () => {
  const { org, ana, bo, channel, topic } = await twoPeople(organization)
  const { page, url } = await browser.open(org, ana, '#recent', phone)
  const begin = page.locator('.bottom-bar').getByRole('button', { name: 'New topic' })
  const channels = page.getByRole('combobox', { name: 'Channel' })
  const field = page.getByRole('combobox', { name: 'Topic' })
  await begin.tap()
  await channels.tap()
  await page.getByRole('option', { name: 'design' }).tap()
  // Each name has a line of its own.
  expect((await channels.boundingBox())!.width).toBeGreaterThan(280)
  expect((await field.boundingBox())!.width).toBeGreaterThan(280)
  await field.fill('Lunch')
  await page.locator('.begin-box textarea').fill('Ramen?')
  await page.getByRole('button', { name: 'Send' }).tap()
  await page.locator('h1', { hasText: 'Lunch' }).waitFor()
  await expect.poll(() => contentsOf(bo, channel)).toContainEqual(['Lunch', 'Ramen?'])
  // The channel of the open topic is chosen already.
  await page.goto(url + topic('Lunch'))
  await begin.tap()
  await expect.poll(() => channels.inputValue()).toBe('design')
  await page.getByRole('button', { name: 'Close and keep the draft' }).tap()
  await page.goto(`${url}#inbox`)
  await page.locator('.bottom-bar').getByRole('button', { name: 'Channels' }).tap()
  await page.locator('.rail').getByRole('button', { name: 'New topic' }).tap()
  await channels.waitFor()
  await expect.poll(() => page.locator('.rail').isVisible()).toBe(false)
})

test('on a phone, the bar below leads to the search, also in German on one line', async () => {
  const { org, ana, say } = await twoPeople(organization)
  await say('Icons', 'Too round')
  const { page } = await browser.open(org, ana, '#inbox', { ...phone, locale: 'de-DE' })
  const bar = page.locator('.bottom-bar')
  const tops = await bar.locator('a, button').evaluateAll((all) => all.map((one) => one.scrollHeight))
  expect(new Set(tops).size).toBe(1)
  const line = await bar.evaluate((one) =>
    parseFloat(one.ownerDocument.defaultView!.getComputedStyle(one).lineHeight),
  )
  expect(tops[0]).toBeLessThan(3 * line)
  await bar.getByRole('button', { name: 'Suche' }).tap()
  await page.getByRole('combobox').fill('round')
  await page.keyboard.press('Enter')
  await page.locator('article', { hasText: 'Too round' }).waitFor()
})

test('on a phone, long notes in the dialog of a user wrap, also in German', async () => {
  const { org } = await twoPeople(organization)
  const { page } = await browser.open(org, await ownerOf(org), '#organization/users', {
    ...phone,
    locale: 'de-DE',
  })
  await page.getByRole('button', { name: 'Bo Lind' }).first().tap()
  const inside = page.locator('dialog .panel-inside')
  await page.getByText('Mitglieder nehmen an allen').waitFor()
  expect(await inside.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
})

test('on a phone, the tools of a message hide nothing of it, and are in view', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  await say('Icons', 'A message whose first line is as long as the screen of a phone is wide')
  await say('Icons', 'One that goes on below it, with a first line that is as long as well')
  await say('Icons', 'Tall\n\n'.repeat(40))
  const { page } = await browser.open(org, ana, topic('Icons'), phone)
  for (const text of ['A message', 'One that', 'Tall']) {
    const row = page.locator('article', { hasText: text })
    await row.locator('.content p').first().tap()
    const tools = row.locator('.row-actions')
    await tools.waitFor()
    const { hidden, isInView } = await tools.evaluate((one) => {
      const { document: page, innerHeight } = one.ownerDocument.defaultView!
      const place = one.getBoundingClientRect()
      const range = page.createRange()
      range.selectNodeContents(one.closest('.row')!.querySelector('.content')!)
      const first = range.getClientRects()[0]!
      const hidden = first.right > place.left && first.bottom > place.top && first.top < place.bottom
      return { hidden, isInView: place.top > 0 && place.bottom < innerHeight }
    })
    expect([text, hidden, isInView]).toEqual([text, false, true])
  }
})

test('on a phone, the time of a later message of a sender is whole, and makes its row no higher', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  for (const text of ['First', 'Second', 'Third']) await say('Times', text)
  const { page } = await browser.open(org, ana, topic('Times'), phone)
  const row = page.locator('article', { hasText: 'Third' })
  const time = row.locator('.row-time')
  const before = (await page.locator('article', { hasText: 'Second' }).boundingBox())!
  await row.locator('.content p').tap()
  await time.waitFor({ state: 'visible' })
  const { x, width } = (await time.locator('time').boundingBox())!
  const text = (await row.locator('.content').boundingBox())!
  expect([x >= 0, x + width <= text.x]).toEqual([true, true])
  await page.locator('article', { hasText: 'First' }).locator('.content p').tap()
  await expect.poll(async () => (await row.boundingBox())!.height).toBe(before.height)
})

test('on a phone, the title of a topic has room for both its channel and its name', async () => {
  const { org, ana, bo } = await twoPeople(organization)
  const channel = await org.channel({ name: 'engineering', subscribers: [ana, bo] })
  const viewport = { width: 360, height: 740 }
  const options = { ...phone, viewport }
  const { page } = await browser.open(
    org,
    ana,
    `#narrow/channel/${channel.id}/topic/Release.20of.20May`,
    options,
  )
  const parts = page.locator('.view-head h1 a, .view-head h1 .title-text')
  await expect.poll(() => parts.allInnerTexts()).toEqual(['engineering', 'Release of May'])
  for (const part of await parts.all())
    expect(await part.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false)
})

test.each(['en', 'de'])(
  'on a phone, the filters above a list take two lines, and all can be pressed (%s)',
  async (language) => {
    const { org, ana } = await twoPeople(organization)
    await ana.patch('/settings', { default_language: language })
    const { page, url } = await browser.open(org, ana, '#inbox', { ...touch, viewport: viewports.phone })
    let before = ''
    for (const view of ['inbox', 'recent', 'channels']) {
      await page.goto(`${url}#${view}`)
      const title = page.getByRole('heading', { level: 1 })
      await expect.poll(() => title.innerText()).not.toBe(before)
      before = await title.innerText()
      await page.locator(view === 'inbox' ? '.inbox-filter' : '.filter-buttons').waitFor()
      expect((await page.locator('.inbox-filter').boundingBox())!.height).toBeLessThanOrEqual(100)
      for (const filter of await page.locator('.inbox-filter [aria-pressed]').all()) {
        await filter.tap()
        expect(await filter.getAttribute('aria-pressed')).toBe('true')
      }
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  },
)

test('on a phone, a vote in another message than the selected one counts, and one message has tools', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  // A list that is at its end moves up when a row of it grows.
  for (let i = 1; i <= 15; i++) await say('Lunch', `Message ${i}`)
  await say('Lunch', '/poll What shall we eat?\nRamen\nPizza')
  await say('Lunch', 'I am hungry')
  const { page } = await browser.open(org, ana, topic('Lunch'), phone)
  const tools = page.locator('.row-actions')
  await page.getByText('I am hungry').tap()
  await expect.poll(() => tools.count()).toBe(1)
  await page.getByRole('button', { name: /Ramen/ }).tap()
  await page.getByRole('button', { name: /1 Ramen/ }).waitFor()
  await page.getByRole('textbox', { name: 'Add an option' }).tap()
  await page.keyboard.type('Salad')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /0 Salad/ }).waitFor()
  expect(await tools.count()).toBe(1)
})

test('on a phone, the entries of the bar stay where they are when one is chosen, and share its width', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, '#inbox', { ...touch, viewport: viewports.phone })
  const entries = page.locator('.bottom-bar > *')
  const places = async () => Promise.all((await entries.all()).map((one) => one.boundingBox()))
  await page.locator('.bottom-bar [aria-current]', { hasText: 'Inbox' }).waitFor()
  const before = await places()
  await entries.nth(1).tap()
  await page.locator('.bottom-bar [aria-current]', { hasText: 'Recent' }).waitFor()
  expect(await places()).toEqual(before)
  // The number beside the icon of the inbox has room before the next icon.
  expect(before.map((box) => Math.round(box!.width))).toEqual([72, 72, 72, 72, 72])
})
