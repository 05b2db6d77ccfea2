import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'

const { organization } = sharedServer()
const browser = webBrowser()

async function people() {
  const org = await organization()
  await org.channel({ name: 'general' })
  return { org, ana: await webUser(org, 'Ana Ruiz'), bo: await webUser(org, 'Bo Lind') }
}

/** Adds a person or group by a part of the name, within the field of that label. */
async function add(page: Page, label: string, typed: string, option: RegExp) {
  await page.getByRole('combobox', { name: `Add to: ${label}` }).fill(typed)
  await page.getByRole('option', { name: option }).click()
}

test.each(['wide', 'phone'] as const)('a channel is created, and the others are in it (%s)', async (size) => {
  const { org, ana, bo } = await people()
  const cy = await webUser(org, 'Cy Okafor')
  const { body } = await org.owner.post('/user_groups/create', {
    name: 'Kitchen',
    description: '',
    members: [cy.id],
  })
  expect(body.result).toBe('success')
  const mine = await browser.open(org, ana, '#channels', { viewport: viewports[size] })
  const other = await browser.open(org, bo, '#channels')
  for (const { page } of [mine, other]) await letCompare(page)
  const { page } = mine
  await page.getByRole('button', { name: 'New channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await dialog.getByLabel('Name').fill('cooking')
  await dialog.getByLabel('Description').fill('What we eat')
  await dialog.getByRole('radio', { name: /Private, shared history/ }).check()
  await add(page, 'Subscribers', 'bo', /Bo Lind/)
  await add(page, 'Subscribers', 'kitch', /Kitchen/)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: /cooking/ }).waitFor()
  await other.page.locator('.rail-item', { hasText: 'cooking' }).waitFor()
  const found = (await cy.register()).state.subscriptions.find(
    ({ name }: { name: string }) => name === 'cooking',
  )
  expect(found).toMatchObject({
    description: 'What we eat',
    invite_only: true,
    history_public_to_subscribers: true,
    subscriber_count: 3,
  })
  for (const one of [mine, other]) await expectStateToMatch(one.page)
})

test('what the server or the client has against a new channel stands at the field', async () => {
  const { org, ana } = await people()
  await org.channel({ name: 'secret', isPrivate: true })
  await org.channel({ name: 'design' })
  const { page } = await browser.open(org, ana, '#channels')
  await page.getByRole('button', { name: 'New channel' }).click()
  const name = page.getByLabel('Name')
  const says = async (text: string) => {
    await page.getByRole('button', { name: 'Create' }).click()
    const id = await name.getAttribute('aria-describedby')
    await page.locator(`[id="${id}"]`).getByText(text).waitFor()
  }
  await name.fill('Design')
  await says('A channel with this name already exists.')
  await name.fill('secret')
  await says('Unable to access channel')
})

test('only kinds of channels that the user may create are offered', async () => {
  const { org, ana, bo } = await people()
  const owner = { new: org.group('role:owners') }
  await org.owner.patch('/realm', { can_create_private_channel_group: owner })
  const mine = await browser.open(org, ana, '#channels')
  await mine.page.getByRole('button', { name: 'New channel' }).click()
  const shared = mine.page.getByRole('radio', { name: /Private, shared history/ })
  expect(await shared.isDisabled()).toBe(true)
  await mine.page.getByText('You do not have permission to create such channels.').first().waitFor()
  const other = await browser.open(org, bo, '#channels')
  const button = other.page.getByRole('button', { name: 'New channel' })
  await button.waitFor()
  await org.owner.patch('/realm', { can_create_public_channel_group: owner })
  await button.waitFor({ state: 'detached' })
})

test('a channel is created by keyboard alone', async () => {
  const { org, ana, bo } = await people()
  const { page } = await browser.open(org, ana, '#channels')
  await page.getByRole('button', { name: 'New channel' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate<string>('document.activeElement?.tagName')).toBe('INPUT')
  await page.keyboard.type('cooking')
  await page.getByRole('combobox', { name: 'Add to: Subscribers' }).focus()
  await page.keyboard.type('bo li')
  await page.getByRole('option', { name: /Bo Lind/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove Bo Lind' }).waitFor()
  await page.getByRole('button', { name: 'Create' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /cooking/ }).waitFor()
  expect((await bo.register()).state.subscriptions.map(({ name }: { name: string }) => name)).toContain(
    'cooking',
  )
})

test('a channel that was created but cannot be opened is told as a failure', async () => {
  const { org, ana } = await people()
  const { page } = await browser.open(org, ana, '#channels')
  await page.route('**/json/get_stream_id*', (route) => route.abort())
  await page.getByRole('button', { name: 'New channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await dialog.getByLabel('Name').fill('cooking')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('The server cannot be reached.').waitFor()
})

test('channels are listed by name, with their numbers in order', async () => {
  const { org, ana } = await people()
  for (const name of ['release 10', 'release 9', 'Über', 'Release 11', 'zoo']) {
    await org.channel({ name, subscribers: [ana] })
  }
  const { page } = await browser.open(org, ana, '#inbox')
  const links = page.getByRole('navigation').getByRole('link', { name: /release|ber|zoo/i })
  await expect
    .poll(() => links.allTextContents())
    .toEqual(['release 9', 'release 10', 'Release 11', 'Über', 'zoo'])
})
