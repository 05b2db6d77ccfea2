import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { english } from '../settings-walk.ts'

// Settings change elsewhere, or are refused, while their screen is open.

const { organization } = sharedServer()
const browser = webBrowser()

async function scene(hash: string) {
  const org = await organization()
  const [olga, ana] = [await webUser(org, 'Olga Owner'), await webUser(org, 'Ana Ruiz')]
  await org.owner.patch(`/users/${olga.id}`, { role: 100 })
  const channel = await org.channel({ name: 'design', creator: olga, subscribers: [olga, ana] })
  const opened = await browser.open(org, olga, hash)
  return { org, olga, ana, channel, ...opened }
}

const refused = { status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today' } }

test('a choice of groups that is not saved is lost only after a question, whatever leads away', async () => {
  const { page, url } = await scene('#inbox')
  await page.goto(`${url}#organization/permissions`)
  const label = english('realm_setting.can_create_bots_group')
  const choose = async () => {
    await page.getByRole('combobox', { name: `Add to: ${label}` }).fill('ana')
    await page.getByRole('option', { name: /Ana Ruiz/ }).click()
  }
  const question = page.getByRole('dialog', { name: 'Discard changes' })
  const cancel = async () => {
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.locator(`[data-key=can_create_bots_group]`).getByText('Ana Ruiz').waitFor()
    expect(page.url()).toContain('#organization/permissions')
  }
  await choose()
  await page.locator('.settings-content h2').focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await cancel()
  await page.evaluate('history.back()')
  await cancel()
  await page.evaluate("location.hash = '#feed'")
  await cancel()
  await page.evaluate("location.hash = '#feed'")
  await question.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('main').getByRole('heading', { name: 'Combined feed' }).waitFor()
  expect(page.url()).toContain('#feed')
})

test.each([
  ['#settings/alert-words', 'New word'],
  ['#settings/bots', 'Name'],
  ['#settings/account', 'New password'],
])('a text that is to be added is lost only after a question: %s, %s', async (hash, label) => {
  const { page } = await scene(hash)
  await page.getByLabel(label, { exact: true }).fill('painter')
  await page.locator('.section-list a[href="#settings/profile"]').click()
  const question = page.getByRole('dialog', { name: 'Discard changes' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe('painter')
  await page.locator('.section-list a[href="#settings/profile"]').click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('heading', { level: 2, name: 'Profile' }).waitFor()
})

test('a section is left without a question after a text in it has been added', async () => {
  const { page } = await scene('#settings/bots')
  await page.getByLabel('Kind').selectOption({ index: 1 })
  await page.getByLabel('Name', { exact: true }).fill('Painter')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.locator('details', { hasText: 'Painter' }).waitFor()
  await page.locator('.section-list a[href="#settings/profile"]').click()
  await page.getByRole('heading', { level: 2, name: 'Profile' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('a section is left without a question while its change is being saved, the page is not', async () => {
  const { page } = await scene('#settings/profile')
  const requests = await holdRequests(page, '**/json/settings')
  await page.getByLabel('Name', { exact: true }).fill('Olga Orlova')
  await page.keyboard.press('Enter')
  await expect.poll(requests.count).toBe(1)
  const isUnloadHeld = `!dispatchEvent(new Event('beforeunload', { cancelable: true }))`
  expect(await page.evaluate(isUnloadHeld)).toBe(true)
  await page.evaluate("location.hash = '#feed'")
  await page.getByRole('main').getByRole('heading', { name: 'Combined feed' }).waitFor()
  requests.refuse()
  await page.getByText('Your change was not saved: Enough for a day').waitFor()
  expect(await page.evaluate(isUnloadHeld)).toBe(false)
})

/** The dialog with the settings of a channel, where a description was typed whose saving is under way. */
async function savingDescription() {
  const { channel, page, url } = await scene('#inbox')
  const requests = await holdRequests(page, `**/json/streams/${channel.id}`)
  const dialog = page.getByRole('dialog', { name: 'Settings of #design' })
  const save = async (text: string) => {
    await page.goto(`${url}#channels/${channel.id}/general`)
    await dialog.getByLabel('Description').fill(text)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(requests.count).toBe(1)
  }
  const leave = async () => {
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  return { page, requests, dialog, save, leave }
}

test('a dialog is left without a question while its change is being saved; a notice tells if it was not', async () => {
  const { page, requests, save, leave } = await savingDescription()
  await save('Refused')
  await leave()
  requests.refuse()
  await page.getByText('Your change was not saved: Enough for a day').waitFor()
  await save('Sent again')
  await leave()
  requests.cut()
  const notice = page.locator('.notice', {
    hasText: 'Your change was not saved: The server cannot be reached',
  })
  const again = notice.getByRole('button', { name: 'Try again' })
  // On one line, though the text next to it is long.
  expect((await again.boundingBox())!.height).toBeLessThan(40)
  await again.click()
  await expect.poll(requests.count).toBe(1)
  requests.pass()
  await page.getByRole('main').getByText('Sent again').waitFor()
})

test('a text that is typed while another is being saved is lost only after a question', async () => {
  const { page, requests, dialog, save } = await savingDescription()
  await save('One')
  await dialog.getByLabel('Description').fill('One and a half')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Discard changes' }).waitFor()
  requests.pass()
})

test('a time that is chosen elsewhere from the list is shown', async () => {
  const { org, page, url } = await scene('#inbox')
  await org.owner.patch('/realm', { message_content_edit_limit_seconds: 4200 })
  await page.goto(`${url}#organization/permissions`)
  const row = page.locator('[data-key=message_content_edit_limit_seconds]')
  expect(await row.getByRole('spinbutton').inputValue()).toBe('70')
  await org.owner.patch('/realm', { message_content_edit_limit_seconds: 86_400 })
  await row.getByRole('spinbutton').waitFor({ state: 'detached' })
  expect(await row.getByRole('combobox').inputValue()).toBe('86400')
})

test('a change that the server refuses does not stay on the screen', async () => {
  const { olga, channel, page, url } = await scene('#settings/notifications')
  await page.route('**/users/me/subscriptions/properties', (route) => route.fulfill(refused))
  await page.route('**/user_topics', (route) => route.fulfill(refused))
  const box = page.getByLabel(`#design: ${english('personal.push')}`)
  const before = await box.isChecked()
  await box.click()
  await page.getByText('Not today').first().waitFor()
  await expect.poll(() => box.isChecked()).toBe(before)
  await olga.post('/user_topics', { stream_id: channel.id, topic: 'Icons', visibility_policy: 3 })
  await page.goto(`${url}#settings/muted`)
  const policy = page.getByLabel(/› Icons/)
  await policy.selectOption({ label: 'Muted' })
  await expect.poll(() => policy.inputValue()).toBe('3')
})

const edit = (page: Page, name: string) => page.getByRole('button', { name: `Edit ${name}` })

test('the focus stays in a row of the users while the user is seen', async () => {
  const { org, ana, page } = await scene('#organization/users')
  await edit(page, 'Ana Ruiz').focus()
  const row = page.getByRole('row', { name: /Ana Ruiz/ })
  await row.getByText(english('org_users.not_lately')).waitFor()
  await ana.post('/users/me/presence', { status: 'active', new_user_input: true })
  await row.getByText(english('org_users.not_lately')).waitFor({ state: 'detached' })
  const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')")
  await expect.poll(focused).toBe('Edit Ana Ruiz')
  // A change of the user is shown.
  await org.owner.patch(`/users/${ana.id}`, { full_name: 'Ana Arp' })
  await edit(page, 'Ana Arp').waitFor()
})

test('the description of a group in the list follows its change', async () => {
  const { org, olga, ana, page, url } = await scene('#inbox')
  const made = await olga.post('/user_groups/create', {
    name: 'birders',
    description: 'Watch',
    members: [ana.id],
  })
  expect(made.body.result).toBe('success')
  await page.goto(`${url}#groups`)
  await page.getByText('Watch', { exact: true }).waitFor()
  const changed = await org.owner.patch(`/user_groups/${made.body.group_id}`, { description: 'Ringing' })
  expect(changed.body.result).toBe('success')
  await page.getByText('Ringing', { exact: true }).waitFor()
})

test('a section that cannot be loaded says so, and the others can be opened', async () => {
  const { page, url } = await scene('#inbox')
  await page.route('**/assets/alert-words-*.js', (route) => route.abort())
  await page.goto(`${url}#settings/alert-words`)
  await page.getByRole('heading', { level: 2, name: 'Alert words' }).waitFor()
  await page.locator('.settings-content').getByRole('alert').waitFor()
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).waitFor()
})
