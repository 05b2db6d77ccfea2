import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const scene = () => twoPeople(organization)

const rowOf = (page: Page, name: string) =>
  page.locator('.topics .inbox-row', { has: page.locator('.inbox-name', { hasText: name }) })

test('the topics of a channel follow what happens in it, and say when each was last written to', async () => {
  const { org, ana, bo, channel, say } = await scene()
  const other = await org.channel({ name: 'other', subscribers: [ana, bo] })
  await say('One', 'Hello')
  const two = await say('Two', 'Hello')
  const { page } = await browser.open(org, ana, `#topics/channel/${channel.id}-design`)
  const shown = (names: string[]) =>
    expect.poll(() => page.locator('.topics .inbox-name').allInnerTexts()).toEqual(names)
  await shown(['Two', 'One'])
  for (const name of ['One', 'Two']) await rowOf(page, name).getByText('now').waitFor()
  await rowOf(page, 'One').locator('a').focus()
  await say('One', 'Again')
  await shown(['One', 'Two'])
  await rowOf(page, 'One').locator('.count', { hasText: '2' }).waitFor()
  expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('One')
  const three = await say('Three', 'New')
  await shown(['Three', 'One', 'Two'])
  await bo.patch(`/messages/${two}`, { topic: '✔ Two', propagate_mode: 'change_all' })
  await expect.poll(() => page.locator('.topics .inbox-name', { hasText: '✔ Two' }).count()).toBe(1)
  await org.owner.patch(`/messages/${three}`, { stream_id: other.id })
  await expect.poll(() => rowOf(page, 'Three').count()).toBe(0)
  await org.owner.post(`/streams/${channel.id}/delete_topic`, { topic_name: 'One' })
  await expect.poll(() => rowOf(page, 'One').count()).toBe(0)
})

test('the feed of a channel follows new, moved and deleted messages', async () => {
  const { org, ana, channel, say } = await scene()
  const id = await say('One', 'The first')
  const { page } = await browser.open(org, ana, `#narrow/channel/${channel.id}-design`)
  await page.locator('article').getByText('The first').waitFor()
  await say('Two', 'The second')
  await page.locator('article').getByText('The second').waitFor()
  await org.owner.patch(`/messages/${id}`, { topic: 'Moved' })
  await page.locator('.conversation-bar', { hasText: 'Moved' }).first().waitFor()
  await org.owner.delete(`/messages/${id}`)
  await page.locator('article').getByText('The first').waitFor({ state: 'detached' })
})

test('a mention of a group opens the group, by mouse and by keyboard', async () => {
  const { org, ana, bo, channel, say } = await scene()
  await ana.post('/user_groups/create', { name: 'owls', description: 'At night', members: [ana.id, bo.id] })
  const group = (await ana.register()).state.realm_user_groups.find(
    ({ name }: { name: string }) => name === 'owls',
  )
  await say('One', 'Hello @*owls*')
  const { page, url } = await browser.open(org, ana, `#narrow/channel/${channel.id}-design/topic/One`)
  const mention = page.getByRole('button', { name: '@owls' })
  await page.getByRole('textbox', { name: /One/ }).waitFor()
  await mention.click()
  await page.getByRole('heading', { name: 'owls' }).waitFor()
  expect(page.url()).toBe(`${url}#groups/${group.id}`)
  await page.goBack()
  await page.getByRole('textbox', { name: /One/ }).waitFor()
  await mention.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'owls' }).waitFor()
})

test('who will see messages that move is said with those who subscribe or leave meanwhile', async () => {
  const { org, ana, bo, say, topic } = await scene()
  const id = await say('One', 'Hello')
  const drafting = await org.channel({ name: 'drafting', subscribers: [ana], isPrivate: true })
  const { page } = await browser.open(org, ana, topic('One'))
  await page.locator(`article[data-id="${id}"] .content`).click()
  await page.keyboard.press('m')
  await page.getByRole('dialog').getByLabel('Channel').selectOption({ label: 'drafting' })
  await page.getByText('only its subscriber will be able').waitFor()
  const to = { subscriptions: [{ name: 'drafting' }], principals: [bo.id] }
  expect((await ana.post('/users/me/subscriptions', to)).body.subscribed).toEqual({ [bo.id]: ['drafting'] })
  await page.getByText('only its 2 subscribers will be able').waitFor()
  await page.getByRole('dialog').getByLabel('Channel').selectOption({ label: 'design' })
  await page.getByText('subscribers will be able').waitFor({ state: 'detached' })
  await bo.delete('/users/me/subscriptions', { subscriptions: ['drafting'] })
  await page
    .getByRole('dialog')
    .getByLabel('Channel')
    .selectOption({ label: String(drafting.name) })
  await page.getByText('only its subscriber will be able').waitFor()
})

test('a row that moves in its list, as it is renamed, keeps the focus', async () => {
  const { org, ana, channel } = await scene()
  await org.channel({ name: 'meetings', subscribers: [ana] })
  const { page } = await browser.open(org, ana, '#inbox')
  const links = page.locator('.rail a[href*="channel/"]')
  const names = async () => (await links.allInnerTexts()).map((text) => text.split('\n')[0])
  await expect.poll(names).toEqual(['design', 'meetings'])
  await links.first().focus()
  await org.owner.patch(`/streams/${channel.id}`, { new_name: 'sketches' })
  await expect.poll(names).toEqual(['meetings', 'sketches'])
  await links.last().and(page.locator(':focus')).waitFor()
})

test('ages are right as soon as the page is shown again', async () => {
  const { org, ana, say } = await scene()
  await say('One', 'Hello')
  const { page } = await browser.open(org, ana, '#recent')
  const young = page.getByRole('main').getByText('now', { exact: true })
  await young.first().waitFor()
  await page.evaluate(`(() => {
    const now = Date.now
    Date.now = () => now() + 2 * 3600_000
    document.dispatchEvent(new Event('visibilitychange'))
  })()`)
  expect(await young.count()).toBe(0)
})
