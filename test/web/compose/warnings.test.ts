import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { openEditBox } from '../edit-box.ts'

const { organization } = sharedServer()
const browser = webBrowser()

async function scene(topic: string) {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const channel = await org.channel({ name: 'design', subscribers: [ana] })
  await sender(ana, channel)(topic, 'The first message')
  const hash = `#narrow/channel/${channel.id}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`
  const opened = await browser.open(org, ana, hash)
  await opened.page.getByText('The first message').waitFor()
  const box = opened.page.locator('.composer textarea')
  return { ...opened, org, ana, bo, channel, box }
}

test('a resolved topic is opened again from the box, and the text goes along', async () => {
  const { page, box } = await scene('✔ Icons')
  await box.fill('One more thing')
  await page.getByText('This topic is marked as resolved.').waitFor()
  await page.getByRole('button', { name: 'Mark as unresolved' }).click()
  await page.locator('h1', { hasText: /^\W*design\W*Icons/ }).waitFor()
  await expect.poll(() => box.inputValue()).toBe('One more thing')
  await page.getByText('This topic is marked as resolved.').waitFor({ state: 'detached' })
})

test('the text goes along when another user renames the topic', async () => {
  const { page, box, org, channel } = await scene('Icons')
  await box.fill('Half a thought')
  const { body } = await org.owner.get('/messages', {
    narrow: [{ operator: 'channel', operand: channel.id }],
    anchor: 'oldest',
    num_before: 0,
    num_after: 1,
  })
  const { id } = body.messages[0]
  await org.owner.patch(`/messages/${id}`, { topic: 'Logos', propagate_mode: 'change_all' })
  await page.locator('h1', { hasText: 'Logos' }).waitFor()
  await expect.poll(() => box.inputValue()).toBe('Half a thought')
})

test('a mention of a person who is not subscribed offers to subscribe them, also on a phone', async () => {
  const { page, box, bo, channel } = await scene('Icons')
  await page.setViewportSize(viewports.phone)
  await box.pressSequentially('@bo')
  await page.getByRole('option', { name: 'Bo Lind' }).waitFor()
  await box.press('Enter')
  await page.getByText('Bo Lind is not subscribed to this channel').waitFor()
  const [sign, text] = [page.locator('.compose-warning > .icon'), page.locator('.compose-warning-text')]
  expect((await sign.boundingBox())!.x).toBeLessThan((await text.boundingBox())!.x)
  await page.getByRole('button', { name: 'Subscribe them' }).click()
  await page.getByText('Bo Lind is not subscribed to this channel').waitFor({ state: 'detached' })
  const { body } = await bo.get('/users/me/subscriptions')
  expect(body.subscriptions.map((one: { stream_id: number }) => one.stream_id)).toContain(channel.id)
})

const warning = 'Bo Lind is not subscribed to this channel'

test('a mention that is typed by hand, pasted, or in a draft warns, too, and no longer when it is taken out', async () => {
  const { page, box, org } = await scene('Icons')
  await box.pressSequentially('Dear @**bo lind')
  await box.press('*')
  await box.press('*')
  await page.getByText(warning).waitFor()
  await page.reload()
  await page.getByText(warning).waitFor()
  await page.getByRole('button', { name: 'Close the warning' }).click()
  await page.getByText(warning).waitFor({ state: 'detached' })
  await box.fill('')
  await box.fill('Dear @**Bo Lind**, and @**Cy Okafor**')
  const cy = await webUser(org, 'Cy Okafor')
  await page.getByText('Cy Okafor is not subscribed to this channel').waitFor()
  await org.owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'design' }],
    principals: [cy.id],
  })
  await page.getByText('Cy Okafor is not subscribed to this channel').waitFor({ state: 'detached' })
})

test('a user without permission to subscribe others is warned without a button', async () => {
  const { page, box, org } = await scene('Icons')
  await org.owner.patch('/realm', { can_add_subscribers_group: { new: org.group('role:administrators') } })
  await box.fill('@**Bo Lind**')
  await page.getByText(warning).waitFor()
  await page.getByRole('button', { name: 'Subscribe them' }).waitFor({ state: 'detached' })
})

test('a mention of all in a large channel says how many it notifies, or that it is not permitted', async () => {
  const { page, box, org, channel } = await scene('Icons')
  const principals = (await org.crowd(20)).slice(0, 19)
  const subscriptions = [{ name: 'design' }]
  await org.owner.post('/users/me/subscriptions', { subscriptions, principals })
  await org.owner.patch('/realm', { can_mention_many_users_group: { new: org.group('role:administrators') } })
  await box.fill('@**all** look')
  await page.getByText('You do not have permission to notify all 20 people in design.').waitFor()
  await org.owner.patch('/realm', { can_mention_many_users_group: { new: org.group('role:everyone') } })
  await page.getByText('All 20 people in design will be notified.').waitFor()
  const { body } = await org.owner.get(`/streams/${channel.id}/members`)
  expect(body.subscribers).toHaveLength(20)
})

test('an edit warns of a person whom it mentions and who is not subscribed, and not of those who were mentioned before', async () => {
  const { page, org, ana, bo, channel } = await scene('Icons')
  const cy = await webUser(org, 'Cy Okafor')
  const id = await sender(ana, channel)('Icons', 'Look, @**Bo Lind**')
  const area = await openEditBox(page, id)
  await area.fill('Look, @**Bo Lind** and @**Cy Okafor**')
  const box = page.locator('.edit-box')
  await box.getByText('Cy Okafor is not subscribed to this channel').waitFor()
  expect(await box.locator('.compose-warning').count()).toBe(1)
  await box.getByRole('button', { name: 'Subscribe them' }).click()
  await box.locator('.compose-warning').waitFor({ state: 'detached' })
  const { body } = await org.owner.get(`/streams/${channel.id}/members`)
  expect(body.subscribers).toContain(cy.id)
  expect(body.subscribers).not.toContain(bo.id)
})

test('an edit that mentions all in a large channel says how many it notifies, or that it is not permitted', async () => {
  const { page, org, ana, channel } = await scene('Icons')
  const principals = (await org.crowd(20)).slice(0, 19)
  const subscriptions = [{ name: 'design' }]
  await org.owner.post('/users/me/subscriptions', { subscriptions, principals })
  await org.owner.patch('/realm', { can_mention_many_users_group: { new: org.group('role:everyone') } })
  const id = await sender(ana, channel)('Icons', 'Look')
  const area = await openEditBox(page, id)
  await area.fill('Look, @**all**')
  const box = page.locator('.edit-box')
  await box.getByText('All 20 people in design will be notified.').waitFor()
  await org.owner.patch('/realm', { can_mention_many_users_group: { new: org.group('role:administrators') } })
  await box.getByText('You do not have permission to notify all 20 people in design.').waitFor()
  await area.fill('Look, `@**all**`')
  await box.locator('.compose-warning').waitFor({ state: 'detached' })
})
