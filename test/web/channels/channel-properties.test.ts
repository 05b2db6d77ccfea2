import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** Di administers the organization; Bo is a member. */
async function scene() {
  const org = await organization()
  const [di, bo] = [await webUser(org, 'Di Boss'), await webUser(org, 'Bo Lind')]
  await org.owner.patch(`/users/${di.id}`, { role: 200 })
  const channel = await org.channel({ name: 'design', creator: di, subscribers: [di, bo] })
  const read = async () => (await di.get(`/streams/${channel.id}`)).body.stream
  return { org, di, bo, channel, read }
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: /Settings of #/ })

test('the settings of a channel have all that the operation takes', async () => {
  const { org, di, channel } = await scene()
  const { page } = await browser.open(org, di, `#channels/${channel.id}/general`)
  const { body } = await di.get('/openapi.json')
  const form = body.paths['/streams/{stream_id}'].patch.requestBody.content
  const declared = Object.keys(form['application/x-www-form-urlencoded'].schema.properties)
  const dialog = dialogOf(page)
  for (const tab of ['General', 'Permissions']) await dialog.getByRole('tab', { name: tab }).click()
  const shown = () =>
    dialog
      .locator('[data-params]')
      .evaluateAll((rows) => rows.flatMap((row) => String(row.getAttribute('data-params')).split(' ')))
  await expect.poll(async () => (await shown()).toSorted()).toEqual(declared.toSorted())
})

test.each([
  ['#channels/ID', 'General', 'wide'],
  ['#channels/ID/subscribers', 'Subscribers', 'phone'],
  ['#channels/ID/design/permissions', 'Permissions', 'wide'],
] as const)('an address opens the settings, and going back closes them: %s', async (hash, tab, size) => {
  const { org, di, channel } = await scene()
  const { page, url } = await browser.open(org, di, '#channels', { viewport: viewports[size] })
  await page.goto(url + hash.replace('ID', String(channel.id)))
  const selected = dialogOf(page).getByRole('tab', { name: tab, selected: true })
  await selected.waitFor()
  await page.goBack()
  await selected.waitFor({ state: 'detached' })
  await page.goForward()
  await selected.waitFor()
  await page.keyboard.press('Escape')
  await selected.waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).hash).toBe('#channels')
})

test('folder, default and preview: changed here, seen in the API and the other tab', async () => {
  const { org, di, channel, read } = await scene()
  const { page, context, url } = await browser.open(org, di, `#channels/${channel.id}/general`)
  const second = await context.newPage()
  await second.goto(`${url}#channels`)
  await second.locator('.inbox-row', { hasText: 'design' }).waitFor()
  for (const tab of [page, second]) await letCompare(tab)
  const dialog = dialogOf(page)
  await dialog.getByText('There are no folders yet.').waitFor()
  await dialog.getByRole('button', { name: 'New folder' }).click()
  const folder = page.getByRole('dialog', { name: 'New folder' })
  await folder.getByLabel('Name').fill('Product')
  await page.keyboard.press('Enter')
  await second.getByRole('heading', { name: 'Product' }).waitFor()
  await expect.poll(async () => (await read()).folder_id).not.toBe(null)
  await dialog.getByLabel('New users are subscribed to it').check()
  const defaults = async () => (await di.register()).state.realm_default_streams
  await expect.poll(defaults).toContain(channel.id)
  await dialog.getByLabel('Description').fill('How it **looks**')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.locator('.compose-preview strong', { hasText: 'looks' }).waitFor()
  for (const tab of [page, second]) await expectStateToMatch(tab)
})

test('a channel is archived, found among the archived ones, and restored', async () => {
  const { org, di, bo, channel, read } = await scene()
  await di.delete(`/streams/${channel.id}`)
  const { page } = await browser.open(org, di, '#channels')
  const row = page.locator('.inbox-row', { hasText: 'design' })
  await page.getByRole('button', { name: 'Archived' }).click()
  await row.getByRole('button', { name: 'Unarchive' }).click()
  await page.getByText('#design is there again.').waitFor()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await row.waitFor()
  expect((await read()).is_archived).toBe(false)
  await di.delete(`/streams/${channel.id}`)
  const other = await browser.open(org, bo, '#channels')
  await other.page.getByRole('button', { name: 'Archived' }).click()
  const restore = other.page.getByRole('button', { name: 'Unarchive' })
  await restore.waitFor()
  expect(await restore.isDisabled()).toBe(true)
  expect(await restore.getAttribute('title')).toBe('Only channel administrators can change this.')
})

test('subscribers come from another channel, and several go together', async () => {
  const { org, di, bo, channel } = await scene()
  const cy = await webUser(org, 'Cy Okafor')
  await org.channel({ name: 'support', creator: di, subscribers: [di, bo, cy] })
  const { page } = await browser.open(org, di, `#channels/${channel.id}/subscribers`)
  await letCompare(page)
  const dialog = dialogOf(page)
  const ids = async () => (await di.get(`/streams/${channel.id}/members`)).body.subscribers
  await dialog.getByRole('combobox', { name: 'Add to: Add subscribers' }).fill('support')
  await page.getByRole('option', { name: /support.*3 subscribers/ }).click()
  await dialog.getByText('1 person will be subscribed.').waitFor()
  await dialog.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await dialog.getByText('3 subscribers').waitFor()
  expect(await ids()).toEqual([di.id, bo.id, cy.id])
  await dialog.getByLabel('Bo Lind', { exact: true }).check()
  await dialog.getByLabel('Cy Okafor', { exact: true }).check()
  await dialog.getByRole('button', { name: 'Unsubscribe 2 people' }).click()
  await dialog.getByText('1 subscriber', { exact: true }).waitFor()
  expect(await ids()).toEqual([di.id])
  await expectStateToMatch(page)
})
