import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { withResolvers } from '../../with-resolvers.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'
import { threePeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const scene = () => threePeople(organization)

/** Opens the settings from the menu of the channel. */
async function settings(page: Page, tab: string) {
  await page.getByRole('button', { name: 'Channel actions' }).click()
  await page.getByRole('menuitem', { name: 'Channel settings' }).click()
  const dialog = page.getByRole('dialog', { name: /Settings of #/ })
  await dialog.getByRole('tab', { name: tab }).click()
  return dialog
}

const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click()

test.each(['wide', 'phone'] as const)(
  'name, description and privacy are changed, and the others see it (%s)',
  async (size) => {
    const { org, ana, bo, cy, hash, channel } = await scene()
    const mine = await browser.open(org, ana, hash, { viewport: viewports[size] })
    const other = await browser.open(org, bo, hash)
    for (const { page } of [mine, other]) await letCompare(page)
    const dialog = await settings(mine.page, 'General')
    await dialog.getByLabel('Description').fill('How it looks')
    await save(mine.page)
    await other.page.locator('h1').getByText('How it looks').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
    await dialog.getByLabel('Name').fill('drawing')
    await mine.page.keyboard.press('Enter')
    await other.page.getByRole('heading', { level: 1, name: /drawing/ }).waitFor()
    await mine.page.getByRole('dialog', { name: 'Settings of #drawing' }).waitFor()
    await mine.page.getByRole('radio', { name: /Private, protected history/ }).check()
    await save(mine.page)
    await expect
      .poll(async () => (await ana.get(`/streams/${channel.id}`)).body.stream)
      .toMatchObject({ invite_only: true, history_public_to_subscribers: false })
    expect((await cy.get(`/streams/${channel.id}`)).body.result).toBe('error')
    for (const { page } of [mine, other]) await expectStateToMatch(page)
  },
)

test('what the server says against a change stands at the field, and the change is kept', async () => {
  const { org, ana, hash } = await scene()
  await org.channel({ name: 'secret', isPrivate: true })
  const { page } = await browser.open(org, ana, hash)
  const dialog = await settings(page, 'General')
  const name = dialog.getByLabel('Name')
  await name.fill('secret')
  await save(page)
  const id = await name.getAttribute('aria-describedby')
  await page.locator(`[id="${id}"]`).getByText('Channel name is already in use.').waitFor()
  expect(await name.inputValue()).toBe('secret')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => name.inputValue()).toBe('design')
})

test('who may write is chosen among people and groups', async () => {
  const { org, ana, bo, hash, channel } = await scene()
  const mine = await browser.open(org, ana, hash)
  const other = await browser.open(org, bo, `${hash}/topic/One`)
  for (const { page } of [mine, other]) await letCompare(page)
  const dialog = await settings(mine.page, 'Permissions')
  const writers = dialog.getByRole('group', { name: 'Post messages' })
  await writers.getByRole('button', { name: 'Remove Everyone' }).click()
  await writers.getByText('Nobody').waitFor()
  await writers.getByRole('combobox').fill('moder')
  await mine.page.getByRole('option', { name: 'Moderators' }).click()
  await writers.getByRole('combobox').fill('ana')
  await mine.page.getByRole('option', { name: /Ana Ruiz/ }).click()
  await save(mine.page)
  await other.page.getByText('You do not have permission to post in this channel.').waitFor()
  expect((await ana.get(`/streams/${channel.id}`)).body.stream.can_send_message_group).toEqual({
    direct_members: [ana.id],
    direct_subgroups: [org.group('role:moderators')],
  })
  for (const { page } of [mine, other]) await expectStateToMatch(page)
})

test('what a user may not change is disabled, with the reason', async () => {
  const { org, bo, hash } = await scene()
  const { page } = await browser.open(org, bo, hash)
  const dialog = await settings(page, 'General')
  for (const label of ['Name', 'Description', 'Topics', 'Message retention'])
    expect(await dialog.getByLabel(label).isDisabled(), label).toBe(true)
  await dialog.getByText('Only channel administrators can change this.').first().waitFor()
  expect(await dialog.getByRole('button', { name: 'Archive channel' }).isDisabled()).toBe(true)
  await dialog.getByRole('tab', { name: 'Permissions' }).click()
  await dialog.getByRole('group', { name: 'Post messages' }).getByText('Everyone').waitFor()
  expect(await dialog.getByRole('combobox').count()).toBe(0)
})

test('subscribers are found, added and removed, and everyone sees it', async () => {
  const { org, ana, bo, cy, hash } = await scene()
  const mine = await browser.open(org, ana, hash)
  const other = await browser.open(org, bo, hash)
  for (const { page } of [mine, other]) await letCompare(page)
  const dialog = await settings(mine.page, 'Subscribers')
  const theirs = await settings(other.page, 'Subscribers')
  await theirs.getByText('2 subscribers').waitFor()
  await dialog.getByRole('combobox', { name: 'Add to: Add subscribers' }).fill('cy')
  await mine.page.getByRole('option', { name: /Cy Okafor/ }).click()
  await dialog.getByText('1 person will be subscribed.').waitFor()
  await dialog.getByRole('button', { name: 'Subscribe', exact: true }).click()
  for (const one of [dialog, theirs]) await one.getByRole('button', { name: /^Cy Okafor/ }).waitFor()
  expect((await cy.register()).state.subscriptions.map(({ name }: { name: string }) => name)).toEqual([
    'design',
  ])
  await dialog.getByRole('searchbox', { name: 'Find a person' }).fill('okaf')
  await dialog.getByText('1 subscriber', { exact: true }).waitFor()
  expect(await theirs.getByRole('button', { name: 'Unsubscribe Cy Okafor' }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Unsubscribe Cy Okafor' }).click()
  await theirs.getByRole('button', { name: /^Cy Okafor/ }).waitFor({ state: 'detached' })
  for (const { page } of [mine, other]) await expectStateToMatch(page)
})

test('a channel is pinned and its notifications are chosen, in all tabs of the user', async () => {
  const { org, ana, hash, channel } = await scene()
  const { page } = await browser.open(org, ana, hash)
  const second = await browser.open(org, ana, '#inbox')
  await letCompare(page)
  const dialog = await settings(page, 'Personal')
  await dialog.getByLabel('Pin to top').check()
  await second.page.getByRole('button', { name: 'Pinned' }).waitFor()
  for (const label of ['Desktop', 'Email']) await dialog.getByLabel(label).check()
  await dialog.getByLabel('Mentions of everyone').uncheck()
  await expect
    .poll(async () =>
      (await ana.register()).state.subscriptions.find(
        ({ stream_id }: { stream_id: number }) => stream_id === channel.id,
      ),
    )
    .toMatchObject({
      pin_to_top: true,
      desktop_notifications: true,
      email_notifications: true,
      wildcard_mentions_notify: false,
      push_notifications: null,
    })
  await expectStateToMatch(page)
})

test('a channel is archived after a question, and the tabs have keys', async () => {
  const { org, ana, bo, hash } = await scene()
  const mine = await browser.open(org, ana, hash)
  const other = await browser.open(org, bo, hash)
  const dialog = await settings(mine.page, 'Personal')
  await mine.page.keyboard.press('ArrowRight')
  await expect
    .poll(() => dialog.getByRole('tab', { name: 'General' }).getAttribute('aria-selected'))
    .toBe('true')
  await dialog.getByRole('button', { name: 'Archive channel' }).click()
  await mine.page.getByText('Archive #design?').waitFor()
  const question = mine.page.getByRole('dialog', { name: 'Archive channel' })
  await question.getByRole('button', { name: 'Archive channel' }).click()
  await mine.page.getByText('#design has been archived.').waitFor()
  await other.page.locator('.rail-item', { hasText: 'design' }).waitFor({ state: 'detached' })
})

test('text typed during a save is kept, and a saved value is shown as the server has it', async () => {
  const { org, ana, hash, channel } = await scene()
  const { page } = await browser.open(org, ana, hash)
  const dialog = await settings(page, 'General')
  const name = dialog.getByLabel('Name')
  const title = (text: string) =>
    page.getByRole('dialog', { name: `Settings of #${text}`, exact: true }).waitFor()
  let held = withResolvers()
  // The event comes before the answer.
  await page.route('**/json/streams/*', async (route) => {
    const params = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ''))
    const { body } = await ana.patch(`/streams/${channel.id}`, params)
    await held.promise
    await route.fulfill({ json: body })
  })
  await name.fill(' drawing ')
  await save(page)
  await title('drawing')
  held.resolve()
  await expect.poll(() => name.inputValue()).toBe('drawing')
  held = withResolvers()
  await name.fill('paint')
  await save(page)
  await title('paint')
  await name.fill('painting')
  held.resolve()
  await save(page)
  await title('painting')
  expect(await name.inputValue()).toBe('painting')
  expect((await ana.get(`/streams/${channel.id}`)).body.stream.name).toBe('painting')
})

test('of two quick turns of a switch the last one holds', async () => {
  const { org, ana, hash } = await scene()
  const { page } = await browser.open(org, ana, hash)
  const dialog = await settings(page, 'Personal')
  const held = withResolvers()
  let [asked, answered] = [0, 0]
  await page.route('**/json/users/me/subscriptions/properties', async (route) => {
    // The first request reaches the server late.
    if (asked++ === 0) await held.promise
    await route.continue()
  })
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/subscriptions/properties')) answered++
  })
  await dialog.getByLabel('Pin to top').check()
  await dialog.getByLabel('Pin to top').uncheck()
  held.resolve()
  await expect.poll(() => answered).toBe(2)
  await expect.poll(() => dialog.getByLabel('Pin to top').isChecked()).toBe(false)
  expect((await ana.register()).state.subscriptions[0].pin_to_top).toBe(false)
})

test('a permission that has changed since the user began to change it is not overwritten', async () => {
  const { org, ana, hash, channel } = await scene()
  const { page } = await browser.open(org, ana, hash)
  const dialog = await settings(page, 'Permissions')
  const writers = dialog.getByRole('group', { name: 'Post messages' })
  await writers.getByRole('button', { name: 'Remove Everyone' }).click()
  const moderators = org.group('role:moderators')
  await org.owner.patch(`/streams/${channel.id}`, { can_send_message_group: { new: moderators } })
  await org.owner.patch(`/streams/${channel.id}`, { description: 'Moderated' })
  await page.locator('h1').getByText('Moderated').waitFor()
  await save(page)
  await dialog.getByRole('alert').getByText("'old' value does not match the expected value.").waitFor()
  await writers.getByText('Nobody').waitFor()
  expect((await ana.get(`/streams/${channel.id}`)).body.stream.can_send_message_group).toBe(moderators)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await writers.getByText('Moderators').waitFor()
})

test('unsaved changes stay in other tabs, and are lost only after a question', async () => {
  const { org, ana, hash } = await scene()
  const { page } = await browser.open(org, ana, hash)
  const dialog = await settings(page, 'General')
  const description = dialog.getByLabel('Description')
  await description.fill('Not yet saved')
  await dialog.getByRole('tab', { name: 'Permissions' }).click()
  await description.waitFor({ state: 'hidden' })
  await dialog.getByRole('tab', { name: 'General' }).click()
  expect(await description.inputValue()).toBe('Not yet saved')
  const question = page.getByRole('dialog', { name: 'Discard changes' })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  for (const _ of [1, 2]) {
    await page.keyboard.press('Escape')
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'hidden' })
  }
  expect(await description.inputValue()).toBe('Not yet saved')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
})
