import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import type { Person } from '../../person.ts'
import { sharedServer } from '../../test-server.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'
import { twoPeople } from '../two-people.ts'

// A change that others make while a view is open shows in the view, and the page has the state of a new client.

const { organization } = sharedServer()
const browser = webBrowser()

/** Ana reads a topic in which Bo has written. */
async function scene(isPrivate = false) {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const channel = await org.channel({ name: 'design', subscribers: [ana, bo], isPrivate })
  // A state without any channel does not tell whether its client asked for the subscribers of channels.
  await org.channel({ name: 'general', subscribers: [ana, bo] })
  await sender(bo, channel)('Icons', 'Are these too round?')
  const { page } = await browser.open(org, ana, `#narrow/channel/${channel.id}-design/topic/Icons`)
  await letCompare(page)
  await page.getByText('Are these too round?').waitFor()
  await page.getByRole('textbox', { name: /Icons/ }).waitFor()
  return { org, ana, bo, channel, page }
}

/** Nothing that the server would refuse for a message in an archived channel. */
async function noChangesOffered(page: Page) {
  const row = page.locator('article', { hasText: 'Are these too round?' })
  await row.hover()
  const tools = row.getByRole('toolbar')
  await tools.getByRole('button', { name: 'Reply' }).waitFor()
  expect(await tools.getByRole('button', { name: 'Add a reaction' }).count()).toBe(0)
  await page.keyboard.press('+')
  await tools.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Quote and reply' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /move|delete|resolve/i }).count()).toBe(0)
  await page.keyboard.press('Escape')
  expect(await page.getByText('Invalid message').count()).toBe(0)
}

async function add(by: Person, user: Person) {
  const params = { subscriptions: [{ name: 'design' }], principals: [user.id] }
  const added = await by.post('/users/me/subscriptions', params)
  expect(added.body.subscribed).toEqual({ [user.id]: ['design'] })
}

test('a renamed user has the new name in messages, titles and the list of views', async () => {
  const { org, ana, bo, page } = await scene()
  await direct(bo, [ana], 'Between us')
  const inList = (name: string) => page.getByRole('navigation').getByRole('link', { name })
  await inList('Bo Lind').waitFor()
  await org.owner.patch(`/users/${bo.id}`, { full_name: 'Bo Berg' })
  await page.locator('button.sender', { hasText: 'Bo Berg' }).waitFor()
  await inList('Bo Berg').click()
  await page.getByRole('heading', { level: 1, name: 'Bo Berg' }).waitFor()
  await page.locator('article').getByText('Between us').waitFor()
  expect(await page.getByText('Bo Lind').count()).toBe(0)
  await expectStateToMatch(page)
})

test('an archived channel can still be read, and the view says that nothing can be sent', async () => {
  const { org, channel, page } = await scene()
  const inList = page
    .getByRole('navigation')
    .getByRole('link', { name: /design/ })
    .first()
  await inList.waitFor()
  await org.owner.delete(`/streams/${channel.id}`)
  await page.getByText('This channel is archived.').waitFor()
  await noChangesOffered(page)
  expect(await page.getByRole('textbox', { name: /Icons/ }).count()).toBe(0)
  expect(await page.getByText('Are these too round?').count()).toBe(1)
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /design/ })
    .waitFor({ state: 'detached' })
  await expectStateToMatch(page)
})

test('a user who is removed from a public channel can still read it, and subscribe again', async () => {
  const { org, ana, page } = await scene()
  const gone = await org.owner.delete('/users/me/subscriptions', {
    subscriptions: ['design'],
    principals: [ana.id],
  })
  expect(gone.body.removed).toEqual(['design'])
  const subscribe = page.locator('main').getByRole('button', { name: 'Subscribe' })
  await subscribe.waitFor()
  expect(await page.getByText('Are these too round?').count()).toBe(1)
  await expectStateToMatch(page)
  await subscribe.click()
  await subscribe.waitFor({ state: 'detached' })
  await expectStateToMatch(page)
})

test('a user who is removed from a private channel sees no more of it, until they are added again', async () => {
  const { org, ana, bo, channel, page } = await scene(true)
  const gone = await org.owner.delete('/users/me/subscriptions', {
    subscriptions: ['design'],
    principals: [ana.id],
  })
  expect(gone.body.removed).toEqual(['design'])
  await sender(bo, channel)('Icons', 'For us alone')
  await direct(bo, [ana], 'You were removed')
  await page.getByRole('navigation').getByText('Bo Lind').waitFor()
  // In place of the messages, and in that of what can be done in the box.
  for (const place of ['.message-area h2', '.composer .compose-hint'])
    await page.locator(place).getByText('You do not have access to this channel.').waitFor()
  expect(await page.getByText('For us alone').count()).toBe(0)
  await page.getByText('Are these too round?').waitFor({ state: 'detached' })
  await expectStateToMatch(page)
  await add(bo, ana)
  await sender(bo, channel)('Icons', 'Welcome back')
  for (const text of ['Are these too round?', 'Welcome back']) await page.getByText(text).waitFor()
  await expectStateToMatch(page)
})

test('an administrator who leaves a private channel sees it, but not its messages', async () => {
  const { org, ana, bo, channel, page } = await scene(true)
  await org.owner.patch(`/users/${ana.id}`, { role: 200 })
  await page.evaluate("location.hash = '#feed'")
  await page.getByText('Are these too round?').waitFor()
  await direct(bo, [ana], 'Not in the channel')
  await ana.delete('/users/me/subscriptions', { subscriptions: ['design'] })
  await page.getByText('Are these too round?').waitFor({ state: 'detached' })
  await page.locator('article').getByText('Not in the channel').waitFor()
  await expectStateToMatch(page)
  await sender(bo, channel)('Icons', 'For us alone')
  await add(bo, ana)
  await sender(bo, channel)('Icons', 'Welcome back')
  for (const text of ['Are these too round?', 'Welcome back']) await page.getByText(text).waitFor()
  await expectStateToMatch(page)
})

test('messages that only change their channel come into the open topic of the same name', async () => {
  const { org, ana, bo, channel, say, topic } = await twoPeople(organization)
  const drafting = await org.channel({ name: 'drafting', subscribers: [ana, bo] })
  const id = await sender(bo, drafting)('Icons', 'Or too small?')
  await say('Icons', 'Are these too round?')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await letCompare(page)
  await page.getByText('Are these too round?').waitFor()
  const move = { stream_id: channel.id, propagate_mode: 'change_all', send_notification_to_new_thread: false }
  expect((await org.owner.patch(`/messages/${id}`, move)).body).toMatchObject({ result: 'success' })
  await page.locator('article').getByText('Or too small?').waitFor()
  await expectStateToMatch(page)
})

test('a topic that moves takes the view along, and one notice says where it is now', async () => {
  const { org, ana, bo, say, topic } = await twoPeople(organization)
  const drafting = await org.channel({ name: 'drafting', subscribers: [ana, bo] })
  const id = await say('Icons', 'Are these too round?')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await page.getByRole('textbox', { name: /Icons/ }).waitFor()
  const move = (to: object) => org.owner.patch(`/messages/${id}`, { ...to, propagate_mode: 'change_all' })
  await move({ topic: 'Shapes' })
  await page.getByText('The topic is now “Shapes”.').waitFor()
  await move({ stream_id: drafting.id })
  await page.getByText('The topic is now “#drafting › Shapes”.').waitFor()
  expect(await page.getByText('The topic is now').count()).toBe(1)
  await page.getByRole('heading', { name: /drafting/ }).waitFor()
})

test('an edit that adds or removes the mention of the user adds it to the mentions, or removes it', async () => {
  const { org, ana, bo, say } = await twoPeople(organization)
  const [first, second] = [await say('Icons', 'Too round?'), await say('Icons', 'See @**Ana Ruiz**')]
  const { page } = await browser.open(org, ana, '#narrow/is/mentioned')
  await letCompare(page)
  await page.locator('article', { hasText: 'See @Ana Ruiz' }).waitFor()
  await bo.patch(`/messages/${first}`, { content: 'Too round, @**Ana Ruiz**?' })
  await page.locator('article', { hasText: 'Too round, @Ana Ruiz?' }).waitFor()
  await bo.patch(`/messages/${second}`, { content: 'See' })
  await expect.poll(() => page.locator('article').count()).toBe(1)
  await expectStateToMatch(page)
})

test('a topic that is resolved does not show its messages as moved', async () => {
  const { ana, bo, channel, page } = await scene()
  await page.evaluate("location.hash = '#feed'")
  const row = page.locator('article', { hasText: 'Are these too round?' })
  const id = Number(await row.getAttribute('data-id'))
  await bo.patch(`/messages/${id}`, { topic: '✔ Icons', propagate_mode: 'change_all' })
  await row.getByText('✔ Icons').waitFor()
  expect(await row.getByText('Moved').count()).toBe(0)
  await bo.patch(`/messages/${id}`, { topic: 'Shapes', propagate_mode: 'change_all' })
  await row.getByText('Moved').waitFor()
  await sender(ana, channel)('Shapes', 'Round enough')
  await expectStateToMatch(page)
})

test('a message that is starred elsewhere comes to the starred ones', async () => {
  const { org, ana, say } = await twoPeople(organization)
  const id = await say('Icons', 'Too round?')
  const { page } = await browser.open(org, ana, '#narrow/is/starred')
  await page.getByText('No messages here yet').waitFor()
  await ana.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await page.locator('article', { hasText: 'Too round?' }).waitFor()
  await ana.post('/messages/flags', { messages: [id], op: 'remove', flag: 'starred' })
  await page.getByText('No messages here yet').waitFor()
})

test('a result of a search shows what is changed in it', async () => {
  const { org, ana, bo, say } = await twoPeople(organization)
  const id = await say('Icons', 'Is the elephant too round?')
  const { page } = await browser.open(org, ana, '#narrow/search/elephant')
  await page.locator('article .highlight', { hasText: 'elephant' }).waitFor()
  await bo.patch(`/messages/${id}`, { topic: 'Shapes', content: 'Is the elephant too **big**?' })
  await page.locator('article', { hasText: 'Is the elephant too big?' }).waitFor()
  await page.locator('article').getByText('Shapes').waitFor()
})

test('a message that moves to a channel of others leaves the feed, and stays among the starred ones', async () => {
  const { org, ana, say } = await twoPeople(organization)
  const elsewhere = await org.channel({ name: 'elsewhere' })
  const [first, second] = [await say('Icons', 'Too round?'), await say('Icons', 'Too small?')]
  await say('Icons', 'The rest stays')
  await ana.post('/messages/flags', { messages: [second], op: 'add', flag: 'starred' })
  const { page, url } = await browser.open(org, ana, '#narrow/is/starred')
  const row = (text: string) => page.locator('article', { hasText: text })
  await row('Too small?').waitFor()
  await page.goto(`${url}#feed`)
  await row('The rest stays').waitFor()
  const move = { stream_id: elsewhere.id, send_notification_to_new_thread: false }
  for (const id of [first, second])
    expect((await org.owner.patch(`/messages/${id}`, move)).body).toMatchObject({ result: 'success' })
  await row('Too round?').waitFor({ state: 'detached' })
  const left = await row('').allInnerTexts()
  await page.reload()
  await row('The rest stays').waitFor()
  expect((await row('').allInnerTexts()).length).toBe(left.length)
  await page.goto(`${url}#narrow/is/starred`)
  await row('Too small?').waitFor()
})
