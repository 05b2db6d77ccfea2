import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { png, sendFiles } from '../../pictures.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** Presses the button of the mouse on an element, and does not release it. */
async function press(page: Page, element: Locator) {
  const box = (await element.boundingBox())!
  await page.mouse.move(box.x + Math.min(20, box.width / 2), box.y + box.height / 2)
  await page.mouse.down()
}

test.each([
  ['the jump', 'q', '#design', 'h1:has-text("design")'],
  ['the search', '/', 'design', 'dialog .pill'],
])(
  'a click in %s counts even if an event arrives before the button is released',
  async (_, key, typed, chosen) => {
    const { org, ana, channel } = await twoPeople(organization)
    const { page } = await browser.open(org, ana, '#inbox')
    await page.keyboard.press(key)
    await page.locator('[role=combobox]:focus').waitFor()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(typed)
    await press(page, page.getByRole('option', { name: 'design' }).last())
    const color = { stream_id: channel.id, property: 'color', value: '#aa0011' }
    await ana.post('/users/me/subscriptions/properties', { subscription_data: [color] })
    await page.locator(`.rail-item [style*="${color.value}"]`).waitFor()
    await page.mouse.up()
    await page.locator(chosen).waitFor()
  },
)

test.each([
  ['More channels', '#design', '#drawing'],
  ['User groups', 'painters', 'printers'],
])(
  'a press on one of the boxes of an invitation counts while it gets another name: %s',
  async (legend, before, after) => {
    const { org, ana, channel } = await twoPeople(organization)
    await org.owner.patch(`/users/${ana.id}`, { role: 200 })
    const group = { name: 'painters', description: '', members: [ana.id] }
    const { group_id } = (await ana.post('/user_groups/create', group)).body
    const { page } = await browser.open(org, ana, '#organization/invitations')
    await page.getByRole('button', { name: 'New invitation link' }).click()
    const picks = page.getByRole('dialog').locator('details', { hasText: legend })
    await picks.locator('summary').click()
    await press(page, picks.getByLabel(before, { exact: true }))
    await org.owner.patch(`/streams/${channel.id}`, { new_name: 'drawing' })
    await org.owner.patch(`/user_groups/${group_id}`, { name: 'printers' })
    const renamed = picks.getByLabel(after, { exact: true })
    await renamed.waitFor()
    await page.mouse.up()
    await expect.poll(() => renamed.isChecked()).toBe(true)
    await renamed.and(page.locator(':focus')).waitFor()
  },
)

test('a link in an open card keeps the focus while users are renamed, and shows a change of its own', async () => {
  const { org, ana, bo, say, topic } = await twoPeople(organization)
  const field = (await org.owner.post('/realm/profile_fields', { name: 'Site', field_type: 1 })).body
  const fill = (site: string) =>
    bo.patch('/users/me/profile_data', { data: [{ id: field.id, value: `${site} (mine)` }] })
  await fill('https://example.com/one')
  await say('Icons', 'Which grey is it?')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await page.getByRole('button', { name: 'Bo Lind' }).first().click()
  const card = page.locator('[popover]:popover-open')
  await card.getByRole('link', { name: 'https://example.com/one' }).focus()
  await org.owner.patch(`/users/${bo.id}`, { full_name: 'Bo Berg' })
  await card.getByRole('heading', { name: 'Bo Berg' }).waitFor()
  await card.locator('a:focus', { hasText: 'https://example.com/one' }).waitFor()
  await fill('https://example.com/two')
  await card.getByRole('link', { name: 'https://example.com/two' }).waitFor()
})

test('an open picker shows an emoji that is added, and keeps the one that is chosen, and a press', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  const add = async (name: string) =>
    sendFiles(org.owner, 'POST', `/realm/emoji/${name}`, [{ content: await png() }])
  await say('Icons', 'Which grey is it?')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await page.locator('article').hover()
  await page.getByRole('button', { name: 'Add a reaction' }).first().click()
  const field = page.getByRole('combobox', { name: 'Find an emoji' })
  const name = page.locator('.emoji-name')
  await expect.poll(() => name.textContent()).toMatch(/^:/)
  for (const _ of [1, 2]) await page.keyboard.press('ArrowDown')
  const chosen = await name.textContent()
  await add('owlet')
  await page.getByRole('group', { name: 'Of this organization' }).getByRole('option').waitFor()
  expect(await name.textContent()).toBe(chosen)
  await field.pressSequentially('owl')
  await press(page, page.getByRole('option', { name: 'owl', exact: true }))
  await add('owlets')
  await page.getByRole('option', { name: 'owlets' }).waitFor()
  await org.owner.delete('/realm/emoji/owlet')
  await page.getByRole('option', { name: 'owlet', exact: true }).waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('owl')
  await page.mouse.up()
  await page.locator('.reaction', { hasText: '🦉' }).waitFor()
})

test.each([
  ['emoji', 'Deactivate :owl:', ':owlet:'],
  ['invitations', 'Revoke the invitation one@example.com', 'two@example.com'],
])('a button in the list of %s keeps the focus while another one comes', async (section, name, comes) => {
  const { org, ana } = await twoPeople(organization)
  await org.owner.patch(`/users/${ana.id}`, { role: 200 })
  const add = async (emoji: string, invitee_emails: string) => {
    await sendFiles(org.owner, 'POST', `/realm/emoji/${emoji}`, [{ content: await png() }])
    await org.owner.post('/invites', { invitee_emails, stream_ids: [] })
  }
  await add('owl', 'one@example.com')
  const { page } = await browser.open(org, ana, `#organization/${section}`)
  const button = page.getByRole('button', { name, exact: true })
  await button.focus()
  const before = await button.elementHandle()
  await add('owlet', 'two@example.com')
  await page.getByText(comes, { exact: true }).waitFor()
  expect(await before!.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
})

test('the kinds of exports keep the focus while people allow theirs', async () => {
  const { org, ana, bo } = await twoPeople(organization)
  await org.owner.patch(`/users/${ana.id}`, { role: 200 })
  const { page } = await browser.open(org, ana, '#organization/exports')
  await page.getByRole('button', { name: 'Start an export' }).click()
  await page.getByRole('dialog').getByRole('radio').last().focus()
  const note = page.getByRole('dialog').locator('.set-note').last()
  const before = await note.textContent()
  await bo.patch('/settings', { allow_private_data_export: true })
  await expect.poll(() => note.textContent()).not.toBe(before)
  await page.locator('dialog input[type=radio]:focus').waitFor()
})

test('a press on a notice counts even if the same failure happens again before the button is released', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  await say('Icons', 'Too round')
  const { page } = await browser.open(org, ana, topic('Icons'))
  const refusal = { status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Too many stars' } }
  await page.route('**/json/messages/flags', (route) =>
    /starred/.test(route.request().postData() ?? '') ? route.fulfill(refusal) : route.continue(),
  )
  await page.locator('article .content').click()
  const star = async () => {
    const answered = page.waitForResponse((response) => response.status() === 400)
    await page.keyboard.press('ControlOrMeta+s')
    await (await answered).finished()
  }
  await star()
  const close = page.getByRole('button', { name: 'Close the notice' })
  const text = page.locator('.notice span')
  const before = (await text.elementHandle())!
  await press(page, close)
  await star()
  await expect.poll(() => before.evaluate((one) => one.isConnected)).toBe(false)
  await text.waitFor()
  await page.mouse.up()
  await close.waitFor({ state: 'detached' })
})

test('a press that comes right after the address has changed does nothing in the view before', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  await say('Icons', 'Too round')
  await say('Logos', 'Too flat')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await page.locator('article', { hasText: 'Too round' }).hover()
  await page.getByRole('button', { name: 'More actions' }).waitFor()
  // Before the browser has reported the new address.
  const isThere = await page.evaluate<boolean>(`{
    const button = document.querySelector('article [aria-label="More actions"]')
    location.hash = '${topic('Logos')}'
    button.click()
    button.isConnected
  }`)
  expect(isThere).toBe(false)
  await page.locator('article', { hasText: 'Too flat' }).waitFor()
})
