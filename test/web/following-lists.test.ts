import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { sharedServer } from '../test-server.ts'
import { twoPeople } from './two-people.ts'

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
