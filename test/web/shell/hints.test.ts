import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, ownerOf, viewports, webBrowser } from '../../browser/chromium.ts'
import { direct } from '../../messages.ts'
import type { Person } from '../../person.ts'
import { sharedServer } from '../../test-server.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

async function scene() {
  const all = await twoPeople(organization)
  await all.say('Icons', 'Are they ready?')
  return { ...all, icons: all.topic('Icons') }
}

const hintOf = (page: Page) => page.getByRole('note', { name: 'Tip' })
const button = (page: Page, name: string) => hintOf(page).getByRole('button', { name, exact: true })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

/** Waits until the hint says something. */
const says = (page: Page, text: string) => hintOf(page).getByText(text).waitFor()

/** Waits until the page has loaded what shows hints. */
async function hintsLoaded(page: Page) {
  const isLoaded = `performance.getEntriesByType('resource').some(({ name }) => name.includes('/hints-'))`
  await expect.poll(() => page.evaluate<boolean>(isLoaded)).toBe(true)
}

async function stepsLeft(person: Person): Promise<string[]> {
  const { state } = await person.register()
  return state.onboarding_steps.map(({ name }: { name: string }) => name)
}

test('a hint that was read goes in all tabs and for good, and each view has its own', async () => {
  const { org, ana, icons } = await scene()
  const { page, context, url, problems } = await browser.open(org, ana, '#inbox')
  await letCompare(page)
  const second = await openPage(context, `${url}#inbox`)
  await says(page, 'j and k choose one, e marks it as read.')
  await says(second.page, 'Here are the conversations with unread messages.')
  await button(page, 'Got it').click()
  await hintOf(page).waitFor({ state: 'detached' })
  await hintOf(second.page).waitFor({ state: 'detached' })
  expect(await stepsLeft(ana)).not.toContain('intro_inbox_view_modal')
  await expectStateToMatch(page)
  await page.goto(`${url}#recent`)
  await says(page, 'The newest conversations are here')
  // One that is not answered waits, and makes room for that of another view.
  await page.goto(`${url}${icons}`)
  await says(page, 'j and k select a message, Enter replies to it.')
  await page.goto(`${url}#feed`)
  await says(page, 's opens that of the selected message.')
  await page.goto(`${url}#inbox`)
  await page.reload()
  await says(page, 'Ctrl+K finds channels, topics, people and settings.')
  expect([...problems, ...second.problems]).toEqual([])
})

test('who wants no more hints gets none, in no view', async () => {
  const { org, ana, icons } = await scene()
  const { page, url, problems } = await browser.open(org, ana, '#inbox')
  await button(page, 'No more tips').click()
  await hintOf(page).waitFor({ state: 'detached' })
  const ofOtherClients = [
    'first_stream_created_banner',
    'jump_to_conversation_banner',
    'narrow_to_dm_with_welcome_bot_new_user',
  ]
  await expect.poll(() => stepsLeft(ana)).toEqual(ofOtherClients)
  for (const [hash, name] of [
    ['#recent', 'Recent conversations'],
    ['#feed', 'Combined feed'],
    [icons, 'Icons'],
  ] as const) {
    await page.goto(url + hash)
    await title(page, name)
    expect(await hintOf(page).count(), hash).toBe(0)
  }
  await page.reload()
  await title(page, 'Icons')
  await hintsLoaded(page)
  expect(await hintOf(page).count()).toBe(0)
  expect(problems).toEqual([])
})

test('the keyboard reaches the buttons, and the view gets the focus when the hint goes', async () => {
  const { org, ana } = await scene()
  const { page, problems } = await browser.open(org, ana, '#inbox')
  await hintOf(page).waitFor()
  const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.tagName')
  expect(await focused()).toBe('BODY')
  await page.getByRole('navigation').getByRole('link', { name: 'Browse channels' }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => button(page, 'Got it').evaluate((one) => one.matches(':focus'))).toBe(true)
  await page.keyboard.press('Tab')
  expect(await button(page, 'No more tips').evaluate((one) => one.matches(':focus'))).toBe(true)
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await hintOf(page).waitFor({ state: 'detached' })
  expect(await focused()).toBe('main')
  await page.keyboard.press('j')
  await expect.poll(focused).toBe('A')
  expect(problems).toEqual([])
})

test('a hint leaves the messages where they are, and the list beside them whole', async () => {
  const { org, ana, icons } = await scene()
  const names = Array.from({ length: 40 }, (_, i) => ({ name: `channel ${i + 1}` }))
  await ana.post('/users/me/subscriptions', { subscriptions: names })
  const { page } = await browser.open(org, ana, icons)
  await hintOf(page).waitFor()
  const message = page.getByText('Are they ready?')
  const before = await message.boundingBox()
  const last = page.getByRole('navigation').getByRole('link', { name: 'Browse channels' })
  await last.scrollIntoViewIfNeeded()
  const [link, card] = [await last.boundingBox(), await hintOf(page).boundingBox()]
  expect(link!.y + link!.height).toBeLessThanOrEqual(card!.y)
  expect(card!.height).toBeLessThan(viewports.wide.height / 4)
  await button(page, 'Got it').click()
  await hintOf(page).waitFor({ state: 'detached' })
  await expect.poll(() => message.boundingBox()).toEqual(before)
})

test('no hint is shown on a phone, nor in a low window', async () => {
  const { org, ana } = await scene()
  const { page } = await browser.open(org, ana, '#inbox', { viewport: viewports.phone })
  await hintsLoaded(page)
  await page.getByRole('button', { name: 'Open the list of views and channels' }).click()
  await page.getByRole('link', { name: 'Browse channels' }).waitFor()
  expect(await hintOf(page).count()).toBe(0)
  await page.setViewportSize(viewports.wide)
  await hintOf(page).waitFor()
  await page.setViewportSize({ width: 1280, height: 500 })
  await hintOf(page).waitFor({ state: 'detached' })
})

test('keys are named that work in this browser', async () => {
  const { org, ana, icons } = await scene()
  const { page, url } = await browser.open(org, ana, icons)
  await says(page, '? lists all keys.')
  await page.keyboard.press('?')
  await page.getByRole('checkbox', { name: 'Use single-key shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await says(page, '↓ and ↑ select a message, Enter replies to it.')
  expect(await hintOf(page).getByText('lists all keys').count()).toBe(0)
  await page.goto(`${url}#inbox`)
  await says(page, 'Here are the conversations with unread messages')
  expect(await hintOf(page).getByText('marks it as read').count()).toBe(0)
})

test('a topic says how it is resolved, and that it is', async () => {
  const { org, ana, bo, say, channel, icons } = await scene()
  await say('✔ Colors', 'Blue it is')
  await direct(bo, [ana], 'Hello')
  const { page, url } = await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/.E2.9C.94.20Colors`)
  await says(page, 'The ✔ says that this topic is resolved.')
  await page.goto(`${url}${icons}`)
  await says(page, 'select a message')
  await button(page, 'Got it').click()
  await hintOf(page).waitFor({ state: 'detached' })
  await page.goto(`${url}#narrow/dm/${bo.id}`)
  await says(page, 'Ctrl+K finds')
  await page.goto(`${url}${icons}`)
  await says(page, 'You can mark it as resolved in its menu')
})

test('who may not resolve a topic is not told how', async () => {
  const { org, ana, icons } = await scene()
  await org.owner.patch('/realm', { can_resolve_topics_group: { new: org.group('role:administrators') } })
  await ana.post('/users/me/onboarding_steps', { onboarding_step: 'non_interleaved_view_messages_fading' })
  const { page } = await browser.open(org, ana, icons)
  await says(page, 'Ctrl+K finds')
})

test('a hint that cannot be marked as read stays, and the user is told', async () => {
  const { org, ana } = await scene()
  const { page } = await browser.open(org, ana, '#inbox')
  await page.route('**/users/me/onboarding_steps', (route) => route.abort(), { times: 1 })
  await button(page, 'Got it').click()
  await page.getByText('The server cannot be reached.').waitFor()
  await button(page, 'Got it').click()
  await hintOf(page).waitFor({ state: 'detached' })
  expect(await stepsLeft(ana)).not.toContain('intro_inbox_view_modal')
})

test('no hint disturbs the first steps of an organization', async () => {
  const org = await organization()
  const { page, url } = await browser.open(org, await ownerOf(org))
  await letCompare(page)
  await page.getByRole('button', { name: 'Done' }).waitFor()
  await hintsLoaded(page)
  await page.goto(`${url}#recent`)
  await title(page, 'Recent conversations')
  expect(await hintOf(page).count()).toBe(0)
  await page.goto(`${url}#welcome`)
  await page.getByRole('button', { name: 'Done' }).click()
  await title(page, 'Inbox')
  await expectStateToMatch(page)
  await page.goto(`${url}#recent`)
  await says(page, 'The newest conversations are here')
})
