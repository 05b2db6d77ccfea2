import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { contentsOf, sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { openEditBox } from '../edit-box.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

test.each([
  ['#settings/alert-words', 'New word', /\/alert_words$/, 'icon', 'logo'],
  ['#settings/account', 'New address', /\/json\/settings$/, 'a@example.org', 'b@example.org'],
])(
  'a text that is typed while another is being sent stays in its field: %s',
  async (hash, label, path, sent, next) => {
    const { org, ana } = await twoPeople(organization)
    const { page } = await browser.open(org, ana, hash)
    const field = page.getByLabel(label, { exact: true })
    const requests = await holdRequests(page, path)
    await field.fill(sent)
    await field.press('Enter')
    await expect.poll(requests.count).toBe(1)
    await field.fill(next)
    requests.pass()
    await page.locator('.settings-content').getByText(sent).waitFor()
    await page.locator('.add-form button[aria-disabled=false]').first().waitFor()
    expect(await field.inputValue()).toBe(next)
  },
)

test.each([
  ['#settings/account', 'Change the password', ['Current password', 'New password'], /\/json\/settings$/],
  ['#settings/sessions', 'Create a key', ['Your password'], /\/fetch_api_key$/],
])(
  'a password that is typed while another is being sent stays in its field: %s',
  async (hash, button, labels, path) => {
    const { org, ana } = await twoPeople(organization)
    const { page } = await browser.open(org, ana, hash)
    const fields = labels.map((label) => page.getByLabel(label, { exact: true }))
    const requests = await holdRequests(page, path)
    for (const field of fields) await field.fill(ana.password)
    await page.getByRole('button', { name: button }).click()
    await expect.poll(requests.count).toBe(1)
    await fields.at(-1)!.fill('a quite different password')
    requests.pass()
    await page.locator('.settings-content [role=status]:not(:empty)').waitFor()
    await page.locator('.add-form button[aria-disabled=false]').waitFor()
    expect(await fields.at(-1)!.inputValue()).toBe('a quite different password')
  },
)

test('text that is added while an edit is being saved stays in its box, and is saved next', async () => {
  const { org, ana, channel, topic } = await twoPeople(organization)
  const id = await sender(ana, channel)('Icons', 'They are round')
  const { page } = await browser.open(org, ana, topic('Icons'))
  const area = await openEditBox(page, id)
  await area.fill('They are very round')
  const saves = await holdRequests(page, `**/json/messages/${id}`)
  await area.press('Control+Enter')
  await expect.poll(saves.count).toBe(1)
  await area.press('End')
  await area.pressSequentially(', and too small')
  saves.pass()
  await page.unroute(`**/json/messages/${id}`)
  await expect.poll(() => contentsOf(ana, channel)).toEqual([['Icons', 'They are very round']])
  await page.locator('.edit-box button.primary[aria-disabled=false]').waitFor()
  expect(await area.inputValue()).toBe('They are very round, and too small')
  await area.press('Control+Enter')
  await area.waitFor({ state: 'detached' })
  expect(await contentsOf(ana, channel)).toEqual([['Icons', 'They are very round, and too small']])
})
