import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { contentsOf, sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { keepNow } from '../kept-state.ts'
import { twoPeople } from '../two-people.ts'

// What the user and others do while parts of the page are still on their way.

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

test('a button that is pressed again while its dialog is being loaded opens one dialog', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, '#channels')
  const button = page.getByRole('button', { name: 'New channel' })
  await button.waitFor()
  const code = await holdRequests(page, '**/assets/new-channel-*.js')
  await button.click()
  await button.click()
  await expect.poll(code.count).toBe(1)
  code.pass()
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await dialog.waitFor()
  await dialog.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('of two dialogs that are asked for while their code is being loaded, the last one opens', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, '#channels')
  const button = page.getByRole('button', { name: 'New channel' })
  await button.waitFor()
  const code = await holdRequests(page, /\/assets\/(new-channel|status-dialog)-[\w-]+\.js$/)
  await button.click()
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Your status' }).click()
  await expect.poll(code.count).toBe(2)
  code.pass()
  await page.getByRole('dialog', { name: 'Your status' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
})

test('a topic that moves while a page begins takes the view along', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  const id = await say('Icons', 'Too round')
  const { page } = await browser.open(org, ana, topic('Icons'))
  const late = await holdRequests(page, '**/assets/afterwards-*.js')
  await page.reload()
  await page.getByText('Too round').waitFor()
  await page.locator('main[aria-busy=false]').waitFor()
  await org.owner.patch(`/messages/${id}`, { topic: 'Logos', propagate_mode: 'change_all' })
  await page.getByText('Too round').waitFor({ state: 'detached' })
  expect(late.count()).toBe(1)
  late.pass()
  await page.getByRole('heading', { level: 1, name: /Logos/ }).waitFor()
  await page.getByText('Too round').waitFor()
})

test('letters that are typed before the box for a new topic has been loaded stand in its fields', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, topic('Icons'))
  await page.locator('.composer textarea').waitFor()
  const code = await holdRequests(page, '**/assets/begin-*.js')
  await page.locator('h1').click()
  await page.keyboard.press('c')
  await page.keyboard.type('Coloxs')
  for (let i = 0; i < 2; i++) await page.keyboard.press('Backspace')
  await page.keyboard.type('rs')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Too bright')
  await expect.poll(code.count).toBe(1)
  code.pass()
  await expect.poll(() => page.locator('.begin-box textarea').inputValue()).toBe('Too bright')
  expect(await page.getByRole('combobox', { name: 'Topic' }).inputValue()).toBe('Colors')
})

test.each(['before', 'after'])(
  'letters that are typed %s the box for a new topic has been loaded choose the channel, name the topic and are the text',
  async (moment) => {
    const { org, ana, bo, channel } = await twoPeople(organization)
    await org.channel({ name: 'support', subscribers: [ana, bo] })
    const { page } = await browser.open(org, ana, '#feed')
    const code = await holdRequests(page, '**/assets/begin-*.js')
    if (moment === 'after') {
      await page.keyboard.press('c')
      await expect.poll(code.count).toBe(1)
      code.pass()
      await page.getByRole('combobox', { name: 'Channel' }).waitFor()
      // The list first, and then the box.
      for (let i = 0; i < 2; i++) await page.keyboard.press('Escape')
      await page.locator('.begin-box').waitFor({ state: 'detached' })
    }
    await page.keyboard.press('c')
    await page.keyboard.type('desi')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Colors')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Too bright')
    code.pass()
    await expect.poll(() => page.locator('.begin-box textarea').inputValue()).toBe('Too bright')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => contentsOf(bo, channel)).toContainEqual(['Colors', 'Too bright'])
  },
)

test('letters that are typed before the text of an edit has been read are added to it, and are no shortcuts', async () => {
  const { org, ana, channel, topic } = await twoPeople(organization)
  const id = await sender(ana, channel)('Icons', 'Too round')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await page.locator(`article[data-id="${id}"] .content`).click()
  const source = await holdRequests(page, `**/json/messages/${id}?*`)
  await page.keyboard.press('e')
  await page.keyboard.type('x, and me + u')
  await expect.poll(source.count).toBe(1)
  source.pass()
  const area = page.locator('.edit-box textarea')
  await expect.poll(() => area.inputValue()).toBe('Too roundx, and me + u')
  expect(await page.locator('.begin-box, .reaction, [popover]:popover-open').count()).toBe(0)
})

test('Escape closes a box to edit whose text has not been read', async () => {
  const { org, ana, channel, topic } = await twoPeople(organization)
  const id = await sender(ana, channel)('Icons', 'Too round')
  const { page } = await browser.open(org, ana, topic('Icons'))
  const text = page.locator(`article[data-id="${id}"] .content`)
  await text.click()
  const source = await holdRequests(page, `**/json/messages/${id}?*`)
  await page.keyboard.type('ex')
  await expect.poll(source.count).toBe(1)
  expect(await text.count()).toBe(0)
  await page.keyboard.press('Escape')
  await text.waitFor()
  await page.keyboard.press('x')
  await page.locator('.begin-box').waitFor()
})

test('a visit without an address begins at the view that the user has chosen, before the server has answered', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  await ana.patch('/settings', { web_home_view: 'recent_topics' })
  const { page, context, url } = await browser.open(org, ana, topic('Icons'))
  await page.locator('.composer textarea').waitFor()
  await keepNow(page, ana.id)
  const next = await context.newPage()
  const following = await holdRequests(next, '**/assets/following-*.js')
  await next.goto(url)
  await expect.poll(() => next.title()).toMatch(/Recent conversations/)
  following.pass()
  await next.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
})

test.each(['afterwards', 'writing'])(
  'a page says that the server has not a part of it any more: %s',
  async (part) => {
    const { org, ana } = await twoPeople(organization)
    const { page } = await browser.open(org, ana, '#inbox')
    await page.route(`**/assets/${part}-*.js`, (route) => route.fulfill({ status: 404 }))
    await page.reload()
    const notice = page.locator('.notice', { hasText: 'A part of the page could not be loaded.' })
    await notice.first().waitFor()
    await page.unrouteAll()
    const begun = page.waitForEvent('load')
    await notice.first().getByRole('button', { name: 'Reload' }).click()
    await begun
  },
)

test('a part that is on its way when the connection breaks is loaded when it is back', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  const id = await say('Icons', 'Too round')
  const { page, context } = await browser.open(org, ana, topic('Icons'))
  const code = await holdRequests(page, '**/assets/afterwards-*.js')
  await page.reload()
  await page.locator('main[aria-busy=false]').waitFor()
  await page.getByText('Too round').waitFor()
  expect(code.count()).toBe(1)
  await context.setOffline(true)
  code.cut()
  await page.getByText('You are offline').waitFor()
  await page.unrouteAll()
  await context.setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  await org.owner.patch(`/messages/${id}`, { topic: 'Logos', propagate_mode: 'change_all' })
  await page.getByRole('heading', { level: 1, name: /Logos/ }).waitFor()
})

test.each([
  ['a box to write', 'composer', '#narrow/channel/CHANNEL/topic/Icons', '.composer textarea'],
  ['a view', 'recent', '#recent', '.inbox-filter'],
  ['a section of the settings', 'alert-words', '#settings/alert-words', 'button:has-text("Add")'],
])('%s says that its code could not be loaded, until it can be', async (_, part, hash, shown) => {
  const { org, ana, channel } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, '#inbox')
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  const code = await holdRequests(page, `**/assets/${part}-*.js`)
  await page.evaluate(`location.hash = '${hash.replace('CHANNEL', String(channel.id))}'`)
  await expect.poll(code.count).toBeGreaterThan(0)
  code.cut()
  await page.locator('main').getByText('The server cannot be reached').first().waitFor()
  await expect.poll(code.count).toBeGreaterThan(0)
  code.pass()
  await page.locator(shown).first().waitFor()
})

/** What the user does while there is no connection, what it needs, and what it opens. */
const uses: [string, (page: Page) => Promise<unknown>, string][] = [
  ['a dialog', (page) => page.keyboard.press('?'), 'dialog[aria-label="Keyboard shortcuts"]'],
  ['the jump', (page) => page.keyboard.press('Control+k'), 'dialog.jump'],
  ['a menu', (page) => page.getByRole('button', { name: 'Topic actions' }).click(), '[role=menu]'],
]

test.each(uses)(
  'without a connection %s says so, and opens with the next try when it is back',
  async (_, use, opened) => {
    const { org, ana, say, topic } = await twoPeople(organization)
    await say('Icons', 'Too round')
    const { page, context } = await browser.open(org, ana, topic('Icons'))
    await page.locator('.composer textarea').waitFor()
    await page.locator('h1').click()
    await context.setOffline(true)
    await page.getByText('You are offline').waitFor()
    await use(page)
    await page.getByText('The server cannot be reached').first().waitFor()
    await context.setOffline(false)
    await page.getByText('You are offline').waitFor({ state: 'detached' })
    await use(page)
    await page.locator(opened).waitFor()
  },
)

test('suggestions that cannot be loaded say so, and come with the next letter', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page, context } = await browser.open(org, ana, topic('Icons'))
  const box = page.locator('.composer textarea')
  await box.waitFor()
  await context.setOffline(true)
  await page.getByText('You are offline').waitFor()
  await box.pressSequentially('@b')
  await page.getByText('The server cannot be reached').waitFor()
  await context.setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  await box.pressSequentially('o')
  await page.getByRole('option', { name: /Bo Lind/ }).waitFor()
})
