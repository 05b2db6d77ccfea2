import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import { testServer } from '../../test-server.ts'

const all = testServer({ queueIdleSeconds: 86_400 * 1_000 })
const browser = webBrowser()

test('channels without recent messages stand at the end, as the user has chosen', async () => {
  const org = await all.organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const busy = await org.channel({ name: 'busy', subscribers: [ana, bo] })
  await org.channel({ name: 'quiet', subscribers: [ana] })
  await all.workOff()
  all.pass(200 * 86_400)
  await all.workOff()
  await sender(bo, busy)('Tea', 'Is there some?')
  const { page, problems } = await browser.open(org, ana)
  const listed = (title: string) =>
    page
      .locator('.rail section', { has: page.getByRole('button', { name: title, exact: true }) })
      .locator('.rail-text')
      .allTextContents()
  await expect.poll(() => listed('Channels')).toEqual(['busy', 'quiet'])
  await ana.patch('/settings', { demote_inactive_streams: 2 })
  await expect.poll(() => listed('Inactive')).toEqual(['quiet'])
  expect(await listed('Channels')).toEqual(['busy'])
  await ana.patch('/settings', { demote_inactive_streams: 3 })
  await expect.poll(() => listed('Channels')).toEqual(['busy', 'quiet'])
  expect(await listed('Inactive')).toEqual([])
  // Left to the client, it depends on how many channels the user has.
  await ana.patch('/settings', { demote_inactive_streams: 1 })
  const names = Array.from({ length: 30 }, (_, i) => ({ name: `new ${i + 1}` }))
  await ana.post('/users/me/subscriptions', { subscriptions: names })
  await expect.poll(() => listed('Inactive')).toEqual(['quiet'])
  expect(problems).toEqual([])
})

test('the number of starred messages stands beside their view, if the user wants it', async () => {
  const org = await all.organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const ids = [await direct(bo, [ana], 'One'), await direct(bo, [ana], 'Two')]
  await ana.post('/messages/flags', { messages: ids, op: 'add', flag: 'starred' })
  const { page, problems } = await browser.open(org, ana)
  const starred = page.getByRole('navigation').getByRole('link', { name: /^Starred/ })
  const text = async () => (await starred.textContent())?.replace(/^Starred/, '')
  await expect.poll(text).toBe('22 starred messages')
  await ana.post('/messages/flags', { messages: ids.slice(1), op: 'remove', flag: 'starred' })
  await expect.poll(text).toBe('11 starred message')
  await ana.patch('/settings', { starred_message_counts: false })
  await expect.poll(text).toBe('')
  expect(problems).toEqual([])
})

test('the open view is marked in the list when a link to a message has led there', async () => {
  const org = await all.organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const channel = await org.channel({ name: 'tea', subscribers: [ana, bo] })
  const id = await sender(bo, channel)('Green', 'Is there some?')
  const topic = `#narrow/channel/${channel.id}-tea/topic/Green`
  const { page, url } = await browser.open(org, ana, `${topic}/near/${id}`)
  const marked = page.locator('.rail [aria-current=page] .rail-text')
  await expect.poll(() => marked.allTextContents()).toEqual(['Green'])
  await page.goto(`${url}#narrow/near/${id}`)
  await expect.poll(() => marked.allTextContents()).toEqual(['Combined feed'])
  // The keys for the previous and the next view go on from there.
  await page.keyboard.press('Shift+D')
  await expect.poll(() => marked.allTextContents()).toEqual(['Mentions'])
})

test('a direct message can be begun from the list on the left, also on a phone', async () => {
  const org = await all.organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  for (const viewport of Object.values(viewports)) {
    const { page, problems } = await browser.open(org, ana, '#inbox', { viewport })
    if (viewport === viewports.phone) await page.getByRole('button', { name: /^Open the list/ }).click()
    await page.getByRole('navigation').getByRole('button', { name: 'New direct message' }).click()
    await page.locator('[aria-label="Add people"]:focus').waitFor()
    await page.keyboard.type('Bo Lind')
    await page.getByRole('option', { name: bo.name }).click()
    await page.getByRole('textbox', { name: 'Write to Bo Lind' }).fill('Hello')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('heading', { name: bo.name }).waitFor()
    expect(problems).toEqual([])
  }
})
