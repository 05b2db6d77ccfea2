import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { english } from '../settings-walk.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** Ana has a view open in which a channel is shown, with an unread message in it. */
async function scene(hash: string) {
  const { org, ana, bo, channel, say } = await twoPeople(organization)
  await say('Dark theme', 'Is it ready?')
  const { page } = await browser.open(org, ana, hash.replace('CHANNEL', String(channel.id)))
  return { org, page, ana, bo, channel }
}

const views = ['#inbox', '#recent', '#feed', '#channels', '#narrow/channel/CHANNEL/topic/Dark.20theme']

test.each(views)(
  'a channel that is renamed elsewhere is renamed in %s, and in the list at its side',
  async (hash) => {
    const { org, page, channel } = await scene(hash)
    const named = (name: string) =>
      page.locator('main a:not(:has(.inbox-preview)), main h1', { hasText: name }).count()
    const inRail = (name: string) => page.locator('.rail').getByText(name, { exact: true }).count()
    await expect.poll(() => inRail('design')).toBe(1)
    await expect.poll(() => named('design')).toBeGreaterThan(0)
    await org.owner.patch(`/streams/${channel.id}`, { new_name: 'drawing' })
    await expect.poll(() => inRail('drawing')).toBe(1)
    await expect.poll(() => inRail('design')).toBe(0)
    await expect.poll(() => named('drawing')).toBeGreaterThan(0)
    await expect.poll(() => named('design')).toBe(0)
  },
)

test('what others change of a channel is seen in its icons and in the list of channels', async () => {
  const { org, page, ana, channel } = await scene('#channels')
  const railIcon = page.locator('.rail-item', { hasText: 'design' }).locator('.channel-icon')
  const before = await railIcon.innerHTML()
  const row = page.locator('main .inbox-row', { hasText: 'design' })
  await org.owner.patch(`/streams/${channel.id}`, { description: 'What things look like' })
  await row.getByText('What things look like').waitFor()
  const color = { stream_id: channel.id, property: 'color', value: '#aa0011' }
  await ana.post('/users/me/subscriptions/properties', { subscription_data: [color] })
  for (const icon of [railIcon, row.locator('.channel-icon')])
    await expect.poll(() => icon.getAttribute('style')).toContain('#aa0011')
  await row.getByText('2 subscribers').waitFor()
  await org.owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'design' }],
    principals: [org.owner.id],
  })
  await row.getByText('3 subscribers').waitFor()
  await org.owner.patch(`/streams/${channel.id}`, { is_private: true })
  for (const icon of [railIcon, row.locator('.channel-icon')])
    await expect.poll(() => icon.innerHTML()).not.toBe(before)
})

test('the notifications of a channel stand at its new name, and say that it is muted', async () => {
  const { org, page, ana, channel } = await scene('#settings/notifications')
  await page.getByRole('cell', { name: '#design', exact: true }).waitFor()
  await org.owner.patch(`/streams/${channel.id}`, { new_name: 'drawing' })
  await page.getByRole('cell', { name: '#drawing', exact: true }).waitFor()
  await page.getByLabel(`#drawing: ${english('personal.push')}`).waitFor()
  const muted = { stream_id: channel.id, property: 'is_muted', value: true }
  await ana.post('/users/me/subscriptions/properties', { subscription_data: [muted] })
  await page.getByRole('cell', { name: '#drawing (Muted)' }).waitFor()
})

test.each([
  ['default channels', '#organization/channels', 'Add a channel', ''],
  ['new topic', '#inbox', 'Channel', 'c'],
])('the list of channels has a new name: %s', async (_, hash, label, key) => {
  const { org, page, ana, channel } = await scene('#feed')
  await org.owner.patch(`/users/${ana.id}`, { role: 200 })
  await page.evaluate(`location.hash = '${hash}'`)
  await page.locator('h1').first().waitFor()
  if (key) await page.keyboard.press(key)
  const options = () =>
    page.getByLabel(label, { exact: true }).locator('option, [role=option]').allTextContents()
  const designs = async () => (await options()).filter((text) => /design|drawing/.test(text)).join()
  await expect.poll(designs).toMatch(/^(# ?)?design$/)
  await org.owner.patch(`/streams/${channel.id}`, { new_name: 'drawing' })
  await expect.poll(designs).toMatch(/^(# ?)?drawing$/)
})

test('those to whom a direct message may go have their new names, while the list is open', async () => {
  const { org, page, bo } = await scene('#feed')
  await page.getByRole('button', { name: 'Bo Lind' }).first().waitFor()
  await page.keyboard.press('x')
  await page.getByRole('combobox', { name: 'Add people' }).fill('bo')
  await page.getByRole('option', { name: /Bo Lind/ }).waitFor()
  await org.owner.patch(`/users/${bo.id}`, { full_name: 'Bo Berg' })
  await page.getByRole('option', { name: /Bo Berg/ }).waitFor()
})

test('a line of the inbox has the new name of its sender', async () => {
  const { org, page, bo } = await scene('#inbox')
  const line = page.locator('.inbox-preview', { hasText: 'Is it ready?' })
  await expect.poll(() => line.textContent()).toBe('Bo Lind: Is it ready?')
  await org.owner.patch(`/users/${bo.id}`, { full_name: 'Bo Berg' })
  await expect.poll(() => line.textContent()).toBe('Bo Berg: Is it ready?')
})

test('an open card shows the new name of its user', async () => {
  const { org, page, bo } = await scene('#feed')
  await page.getByRole('button', { name: 'Bo Lind' }).first().click()
  const card = page.locator('[popover]:popover-open')
  await card.getByRole('heading', { name: 'Bo Lind' }).waitFor()
  await org.owner.patch(`/users/${bo.id}`, { full_name: 'Bo Berg' })
  await card.getByRole('heading', { name: 'Bo Berg' }).waitFor()
})

test('the question before a user is deactivated has their new name', async () => {
  const { org, page, ana, bo } = await scene('#feed')
  await org.owner.patch(`/users/${ana.id}`, { role: 200 })
  await page.getByRole('button', { name: 'Bo Lind' }).first().click()
  await page.locator('[popover]:popover-open').getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('dialog', { name: 'Deactivate Bo Lind' }).waitFor()
  await org.owner.patch(`/users/${bo.id}`, { full_name: 'Bo Berg' })
  await page.getByRole('dialog', { name: 'Deactivate Bo Berg' }).waitFor()
})

/** Ana is about to move a topic to the private channel that is named "studio". */
async function moving() {
  const { org, page, ana, bo } = await scene('#narrow/channel/CHANNEL/topic/Dark.20theme')
  await org.owner.patch(`/users/${ana.id}`, { role: 200 })
  await ana.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'studio' }],
    principals: [ana.id, bo.id],
    invite_only: true,
    history_public_to_subscribers: true,
  })
  const { stream_id } = (await ana.get('/get_stream_id', { stream: 'studio' })).body
  await page.getByRole('button', { name: 'Topic actions' }).click()
  await page.getByRole('menuitem', { name: 'Move the topic' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move the topic' })
  const list = dialog.getByLabel('Channel')
  await list.selectOption({ label: 'studio' })
  const rename = () => ana.patch(`/streams/${stream_id}`, { new_name: 'atelier' })
  return { list, sight: dialog.locator('.sight'), rename, stream_id }
}

test('who will see the messages of a topic that is about to be moved is said with the new name', async () => {
  const { list, sight, rename } = await moving()
  const says = (name: string) => `#${name} is private: only its 2 subscribers will be able to read them.`
  await expect.poll(() => sight.textContent()).toBe(says('studio'))
  await rename()
  await expect.poll(() => sight.textContent()).toBe(says('atelier'))
  await list.selectOption({ label: 'design' })
  await sight.waitFor({ state: 'detached' })
})

test('the options of a list stay when one of them gets another name', async () => {
  const { list, rename, stream_id } = await moving()
  const option = (await list.locator('option', { hasText: 'studio' }).elementHandle())!
  await rename()
  await list.locator('option', { hasText: 'atelier' }).waitFor({ state: 'attached' })
  expect(await option.textContent()).toBe('atelier')
  expect(await list.inputValue()).toBe(String(stream_id))
})
