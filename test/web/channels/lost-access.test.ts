import { expect, test } from 'vitest'
import { ownerOf, webBrowser, webUser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import type { Person } from '../../person.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

// The page where the user may not, or may no longer, read or write: its texts, and the requests that it sends.

const { organization } = sharedServer()
const browser = webBrowser()

const [invitation, refusal] = ['Write the first message below.', 'You do not have access to this channel.']

/** A private channel with a message, and what removes a user from it. */
async function closedChannel() {
  const { org, ana, bo } = await twoPeople(organization)
  const channel = await org.channel({ name: 'launch', isPrivate: true, subscribers: [ana, bo] })
  await sender(bo, channel)('Launch', 'On Monday?')
  const remove = (who: Person) =>
    org.owner.delete('/users/me/subscriptions', { subscriptions: ['launch'], principals: [who.id] })
  const add = (who: Person) =>
    bo.post('/users/me/subscriptions', { subscriptions: [{ name: 'launch' }], principals: [who.id] })
  return { org, ana, bo, topic: `#narrow/channel/${channel.id}/topic/Launch`, remove, add }
}

test('a user who is removed from a private channel is told so, and not invited to write', async () => {
  const { org, ana, topic, remove } = await closedChannel()
  const { page } = await browser.open(org, ana, topic)
  await page.locator('article', { hasText: 'On Monday?' }).waitFor()
  await remove(ana)
  await page.getByRole('heading', { level: 2, name: refusal }).waitFor()
  await page.getByRole('heading', { level: 1, name: /Unknown channel.*Launch/ }).waitFor()
  await page.getByRole('form', { name: /Unknown channel › Launch/ }).waitFor()
  expect(await page.getByText(invitation).count()).toBe(0)
})

test('a guest who opens the address of a channel learns that it is closed', async () => {
  const { org, topic } = await closedChannel()
  const guest = await webUser(org, 'Gil Moreau')
  await org.owner.patch(`/users/${guest.id}`, { role: 600 })
  const { page } = await browser.open(org, guest, topic)
  await page.getByRole('main').locator('.empty').getByText(refusal).waitFor()
  expect(await page.getByText(invitation).count()).toBe(0)
})

test('an administrator who may not read a private channel is not offered to write there', async () => {
  const { org, topic } = await closedChannel()
  const { page, problems } = await browser.open(org, await ownerOf(org), topic)
  await page.locator('.composer .compose-hint').getByText(refusal).waitFor()
  await page.locator('.message-area .empty').getByText(refusal).waitFor()
  expect(await page.getByText(invitation).count()).toBe(0)
  expect(problems).toEqual([])
})

test('a channel that the user has lost is called unknown in the history of a message', async () => {
  const { org, ana, bo, channel, say, topic } = await twoPeople(organization)
  const closed = await org.channel({ name: 'launch', isPrivate: true, subscribers: [ana, bo] })
  const id = await sender(bo, closed)('Launch', 'On Monday?')
  await bo.patch(`/messages/${id}`, { stream_id: channel.id, topic: 'Launch', propagate_mode: 'change_one' })
  await org.owner.delete('/users/me/subscriptions', { subscriptions: ['launch'], principals: [ana.id] })
  await say('Launch', 'Here now')
  const { page } = await browser.open(org, ana, topic('Launch'))
  await page.locator(`article[data-id="${id}"] .content`).click()
  await page.keyboard.press('Shift+H')
  await page.getByRole('dialog').getByText('moved it from an unknown channel to #design').waitFor()
})

test('an empty conversation invites those to write who may', async () => {
  const { org, ana, bo, channel, topic } = await twoPeople(organization)
  const { page, url } = await browser.open(org, ana, topic('Empty'))
  await page.getByText(invitation).waitFor()
  await org.owner.patch(`/streams/${channel.id}`, {
    can_send_message_group: { new: { direct_members: [], direct_subgroups: [] } },
  })
  await page.getByText(invitation).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'No messages here yet' }).waitFor()
  await page.goto(`${url}#narrow/dm/${bo.id}`)
  await page.getByText(invitation).waitFor()
  await org.owner.delete(`/users/${bo.id}`)
  await page.getByText(invitation).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'No messages here yet' }).waitFor()
})

test('a text to a channel that the user has left stays in the browser until they may read it again', async () => {
  const { org, ana, bo, topic, remove, add } = await closedChannel()
  const drafts = async () =>
    (await ana.get('/drafts')).body.drafts.map(({ content }: { content: string }) => content).sort()
  const { page, url, problems } = await browser.open(org, ana, topic)
  const box = page.locator('.composer textarea')
  await page.route('**/json/drafts', (route) => route.abort())
  await box.fill('On Friday')
  await remove(ana)
  await page.getByRole('heading', { level: 2, name: refusal }).waitFor()
  await page.unrouteAll()
  problems.length = 0
  await page.goto(`${url}#narrow/dm/${bo.id}`)
  await page.getByRole('textbox', { name: /Bo Lind/ }).fill('Am I out?')
  await expect.poll(drafts).toEqual(['Am I out?'])
  await page.goto(url + topic)
  await expect.poll(() => box.inputValue()).toBe('On Friday')
  expect(problems).toEqual([])
  await add(ana)
  await expect.poll(drafts).toEqual(['Am I out?', 'On Friday'])
})
