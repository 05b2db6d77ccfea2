import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type WebUser, webBrowser, webUser } from '../../browser/chromium.ts'
import type { Organization } from '../../organization.ts'
import { sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

// Rows of tables and lists stay in the page while their things change: a press that has begun counts, and the focus stays.

const { organization } = sharedServer()
const browser = webBrowser()

type Scene = { org: Organization; ana: WebUser; bo: WebUser; page: Page }

async function scene(hash: string, prepare?: (made: Omit<Scene, 'page'>) => Promise<unknown>) {
  const made = await twoPeople(organization)
  await made.org.owner.patch(`/users/${made.ana.id}`, { role: 200 })
  await prepare?.(made)
  const { page } = await browser.open(made.org, made.ana, hash)
  return { ...made, page }
}

/** Presses the button of the mouse on an element, has `change` change its row to one that says `after`, and releases the button. */
async function pressWhile(page: Page, element: Locator, change: () => Promise<unknown>, after: Locator) {
  const box = (await element.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await change()
  await after.waitFor()
  await page.mouse.up()
}

const isFocused = (element: Awaited<ReturnType<Locator['elementHandle']>>) =>
  element!.evaluate((one) => one === one.ownerDocument.activeElement)

test('a press in a row of the users counts while the user is renamed', async () => {
  const { org, bo, page } = await scene('#organization/users')
  const edit = page.getByRole('button', { name: 'Edit Bo Lind' })
  await edit.waitFor()
  const rename = () => org.owner.patch(`/users/${bo.id}`, { full_name: 'Bo Berg' })
  await pressWhile(page, edit, rename, page.getByRole('button', { name: 'Edit Bo Berg' }))
  await page.getByRole('dialog', { name: /Bo Berg/ }).waitFor()
})

test('a dialog of a user stays open when the row of the user goes', async () => {
  const { org, bo, page } = await scene('#organization/users')
  await page.getByRole('button', { name: 'Edit Bo Lind' }).click()
  await page.getByRole('dialog', { name: /Bo Lind/ }).waitFor()
  await org.owner.delete(`/users/${bo.id}`)
  await page.locator('tr', { hasText: 'Bo Lind' }).waitFor({ state: 'detached' })
  await page.getByRole('dialog').press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit Ana Ruiz' }).waitFor()
})

test('a press in a row of the deactivated users counts while the user is renamed', async () => {
  const { org, bo, page } = await scene('#organization/deactivated', ({ org, bo }) =>
    org.owner.delete(`/users/${bo.id}`),
  )
  const reactivate = page.getByRole('button', { name: 'Reactivate Bo Lind' })
  await reactivate.waitFor()
  const rename = () => org.owner.patch(`/users/${bo.id}`, { full_name: 'Bo Berg' })
  await pressWhile(page, reactivate, rename, page.locator('tr', { hasText: 'Bo Berg' }))
  await page.getByRole('dialog').getByText('Bo Berg').waitFor()
})

test('a press in a row of the bots counts while the bot is renamed', async () => {
  let bot = 0
  const { org, page } = await scene('#organization/bots', async ({ org }) => {
    bot = (await org.owner.post('/bots', { full_name: 'Rook', short_name: 'rook' })).body.user_id
  })
  const edit = page.getByRole('button', { name: 'Edit Rook' })
  await edit.waitFor()
  const rename = () => org.owner.patch(`/bots/${bot}`, { full_name: 'Raven' })
  await pressWhile(page, edit, rename, page.getByRole('button', { name: 'Edit Raven' }))
  await page.getByRole('dialog', { name: /Raven/ }).waitFor()
})

test('a press in a row of the snippets counts while the snippet is changed', async () => {
  let id = 0
  const { ana, page } = await scene('#settings/snippets', async ({ ana }) => {
    const snippet = { title: 'Thanks', content: 'Thank you' }
    id = (await ana.post('/saved_snippets', snippet)).body.saved_snippet_id
  })
  const row = page.getByRole('button', { name: /^Thanks/ })
  await row.waitFor()
  const change = () => ana.patch(`/saved_snippets/${id}`, { content: 'Thank you all' })
  await pressWhile(page, row, change, row.getByText('Thank you all'))
  await expect.poll(() => page.locator('.settings-content textarea').inputValue()).toBe('Thank you all')
})

test('a button in a row of the sessions keeps the focus while another session ends', async () => {
  const { page } = await scene('#settings/sessions', async ({ org, ana }) => {
    for (let i = 0; i < 2; i++) await org.session(ana)
  })
  const ends = page
    .getByRole('table')
    .first()
    .getByRole('button', { name: /^End the login/ })
  await expect.poll(() => ends.count()).toBe(3)
  const own = page.getByRole('row').filter({ hasText: 'this one' })
  const others = page.getByRole('row').filter({ has: page.locator('button:enabled', { hasText: 'End' }) })
  await own.first().waitFor()
  const ending = await holdRequests(page, '**/json/rookery/sessions/*')
  await others.first().getByRole('button').click()
  await expect.poll(ending.count).toBe(1)
  const other = others.last().getByRole('button')
  await other.focus()
  const before = await other.elementHandle()
  ending.pass()
  await expect.poll(() => ends.count()).toBe(2)
  expect(await isFocused(before)).toBe(true)
})

test('the list of what is heard of a topic keeps the focus while it is changed elsewhere', async () => {
  const policy = async (user: WebUser, stream_id: number, visibility_policy: number) =>
    user.post('/user_topics', { stream_id, topic: 'Icons', visibility_policy })
  const { ana, channel, page } = await scene('#settings/muted')
  await policy(ana, channel.id, 1)
  const list = page.getByRole('combobox', { name: /Icons/ })
  await list.focus()
  const before = await list.elementHandle()
  await policy(ana, channel.id, 3)
  await expect.poll(() => list.inputValue()).toBe('3')
  expect(await isFocused(before)).toBe(true)
})

test('the row of a channel keeps the focus while another channel gets a folder, which comes before it', async () => {
  let art = 0
  const { org, page } = await scene('#channels', async ({ org, ana }) => {
    art = (await org.channel({ name: 'art', subscribers: [ana] })).id
  })
  const row = page.locator('.inbox-row a', { hasText: 'design' })
  await page.locator('.inbox-row a', { hasText: 'art' }).waitFor()
  await row.focus()
  const before = await row.elementHandle()
  const made = await org.owner.post('/channel_folders/create', { name: 'Work', description: '' })
  await org.owner.patch(`/streams/${art}`, { folder_id: made.body.channel_folder_id })
  await page.getByRole('heading', { name: 'Work' }).waitFor()
  expect(await isFocused(before)).toBe(true)
})

test('a press on a person in the jump counts while another one is renamed', async () => {
  const { org, page } = await scene('#inbox')
  const cy = await webUser(org, 'Cyril Lind')
  await page.keyboard.press('Control+k')
  await page.locator('dialog.jump input').fill('@lind')
  await page.getByRole('option', { name: /Cyril Lind/ }).waitFor()
  const rename = () => org.owner.patch(`/users/${cy.id}`, { full_name: 'Cyrus Lind' })
  await pressWhile(
    page,
    page.getByRole('option', { name: /Bo Lind/ }),
    rename,
    page.getByRole('option', { name: /Cyrus Lind/ }),
  )
  await page.locator('h1', { hasText: 'Bo Lind' }).waitFor()
})
