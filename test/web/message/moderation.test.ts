import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** Di administers the organization; Bo has said something in a channel of all. */
async function scene() {
  const org = await organization()
  const [di, ana, bo] = [
    await webUser(org, 'Di Boss'),
    await webUser(org, 'Ana Ruiz'),
    await webUser(org, 'Bo Lind'),
  ]
  await org.owner.patch(`/users/${di.id}`, { role: 200 })
  const channel = await org.channel({ name: 'design', creator: di, subscribers: [di, ana, bo] })
  const id = await sender(bo, channel)('Owls', 'Something rude')
  return { org, di, ana, bo, id, hash: `#narrow/channel/${channel.id}-design/topic/Owls` }
}

test.each(['wide', 'phone'] as const)(
  'a person is deactivated from their card, and reactivated (%s)',
  async (size) => {
    const { org, di, ana, bo, hash } = await scene()
    const bot = await bo.post('/bots', { full_name: 'Bo Bot', short_name: 'bo' })
    expect(bot.body.result).toBe('success')
    const { page } = await browser.open(org, di, hash, { viewport: viewports[size] })
    await letCompare(page)
    await page.getByRole('button', { name: 'Bo Lind' }).first().click()
    await page.getByRole('dialog', { name: 'Bo Lind' }).getByRole('button', { name: 'Deactivate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Deactivate Bo Lind' })
    await dialog.getByText('Their bot is deactivated as well: Bo Bot.').waitFor()
    await dialog.getByLabel('Tell them by email').check()
    await dialog.getByLabel('Comment for the email').fill('See you')
    await dialog.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText('Bo Lind has been deactivated.').waitFor()
    expect((await di.get(`/users/${bo.id}`)).body.user.is_active).toBe(false)
    await page.getByRole('button', { name: 'Bo Lind' }).first().click()
    await page.getByRole('dialog', { name: 'Bo Lind' }).getByRole('button', { name: 'Reactivate' }).click()
    await expect.poll(async () => (await di.get(`/users/${bo.id}`)).body.user.is_active).toBe(true)
    await expectStateToMatch(page)
    const other = await browser.open(org, ana, hash)
    await other.page.getByRole('button', { name: 'Bo Lind' }).first().click()
    const card = other.page.getByRole('dialog', { name: 'Bo Lind' })
    await card.getByRole('button', { name: 'Message', exact: true }).waitFor()
    expect(await card.getByRole('button', { name: 'Deactivate' }).count()).toBe(0)
  },
)

test('administrators cannot deactivate owners, and the card says why', async () => {
  const { org, di } = await scene()
  const owner = (await org.owner.get('/users/me')).body
  const { page } = await browser.open(org, di, `#narrow/dm/${owner.user_id}`)
  await page.getByRole('button', { name: '2 members' }).click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByRole('button', { name: owner.full_name }).click()
  const button = page
    .getByRole('dialog', { name: owner.full_name })
    .getByRole('button', { name: 'Deactivate' })
  expect(await button.isDisabled()).toBe(true)
  expect(await button.getAttribute('title')).toBe('Only owners can change owners.')
})

test('a reported message comes to the moderators, who mark it as resolved', async () => {
  const { org, di, ana, hash } = await scene()
  const moderation = await org.channel({
    name: 'moderation',
    creator: di,
    subscribers: [di],
    isPrivate: true,
  })
  await org.owner.patch('/realm', { moderation_request_channel_id: moderation.id })
  const moderator = await browser.open(org, di, '#organization/reports')
  await moderator.page.getByText('No open reports.').waitFor()
  const { page } = await browser.open(org, ana, hash)
  await page.locator('article.row', { hasText: 'Something rude' }).hover()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Report to the moderators' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report to the moderators' })
  await dialog.getByLabel('Reason').selectOption({ label: 'Harassment' })
  await dialog.getByRole('button', { name: 'Report' }).click()
  await page.getByText('Reported. Thank you.').waitFor()
  const row = moderator.page.locator('.inbox-row', { hasText: 'Reports about Bo Lind' })
  await row.getByRole('button', { name: 'Mark as resolved' }).click()
  await moderator.page.getByRole('heading', { name: 'Resolved' }).waitFor()
  await row.getByRole('button', { name: 'Mark as unresolved' }).waitFor()
  await row.getByRole('link').click()
  await moderator.page.getByText('has reported a message of').waitFor()
  await page.goto(page.url().replace(/#.*/, '#organization/reports'))
  await page.getByRole('heading', { name: 'Reported messages' }).waitFor()
  expect(await page.getByText('Reports about').count()).toBe(0)
})

test('messages of other channels do not make the reports ask the server again', async () => {
  const { org, di, ana, bo } = await scene()
  const moderation = await org.channel({
    name: 'moderation',
    creator: di,
    subscribers: [di, bo],
    isPrivate: true,
  })
  await org.owner.patch('/realm', { moderation_request_channel_id: moderation.id })
  const lively = await org.channel({ name: 'lively', creator: di, subscribers: [di, ana] })
  const { page } = await browser.open(org, di, '#organization/reports')
  await page.getByText('No open reports.').waitFor()
  let asked = 0
  page.on('request', (request) => {
    if (/\/users\/me\/\d+\/topics/.test(request.url())) asked++
  })
  for (let index = 0; index < 20; index++) await sender(ana, lively)('Chat', `Hello ${index}`)
  await sender(bo, moderation)('Reports about Nobody', 'A report')
  await page.locator('.inbox-row', { hasText: 'Reports about Nobody' }).waitFor()
  expect(asked).toBe(1)
})

test('messages of a muted user are folded, until they are shown or the user is no longer muted', async () => {
  const { org, ana, bo, hash } = await scene()
  const { page } = await browser.open(org, ana, hash)
  const row = page.locator('article', { hasText: 'Bo Lind' })
  await row.getByText('Something rude').waitFor()
  await ana.post(`/users/me/muted_users/${bo.id}`)
  await row.getByText('Something rude').waitFor({ state: 'detached' })
  expect(await row.getAttribute('aria-label')).not.toContain('rude')
  await row.getByRole('button', { name: 'Message of a muted user' }).press('Enter')
  await row.getByText('Something rude').waitFor()
  expect(await row.evaluate((one) => one.matches(':focus'))).toBe(true)
  await page.reload()
  await row.getByRole('button', { name: 'Message of a muted user' }).waitFor()
  await ana.delete(`/users/me/muted_users/${bo.id}`)
  await row.getByText('Something rude').waitFor()
})
