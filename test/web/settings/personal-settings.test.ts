import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, webBrowser, webUser } from '../../browser/chromium.ts'
import { sendFiles } from '../../pictures.ts'
import { sharedServer } from '../../test-server.ts'

const { organization } = sharedServer()
const browser = webBrowser()

async function scene(section: string) {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const bo = await webUser(org, 'Bo Lind')
  const first = await browser.open(org, ana, `#settings/${section}`)
  const second = await openPage(first.context, `${first.url}#settings/${section}`)
  const problems = () => [...first.problems, ...second.problems]
  return { org, ana, bo, page: first.page, url: first.url, other: second.page, problems }
}

/** Types into a field and leaves it. */
async function fill(page: Page, label: string, text: string) {
  const field = page.getByLabel(label, { exact: true })
  await field.fill(text)
  await field.blur()
}

test('the name and each kind of field of the profile are changed, in all tabs', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const bo = await webUser(org, 'Bo Lind')
  const color = { r: { text: 'Red', order: '1' }, g: { text: 'Green', order: '2' } }
  const made = new Map<string, number>()
  for (const [name, field_type, field_data] of [
    ['Team', 1],
    ['About', 2],
    ['Color', 3, color],
    ['Birthday', 4],
    ['Site', 5],
    ['Mentor', 6],
    ['Pronouns', 8],
  ] as const) {
    const { body } = await org.owner.post('/realm/profile_fields', {
      name,
      field_type,
      ...(field_data && { field_data }),
    })
    made.set(name, body.id)
  }
  const { page, context, url, problems } = await browser.open(org, ana, '#settings/profile')
  const { page: other } = await openPage(context, `${url}#settings/profile`)
  await fill(page, 'Name', 'Ana Ruiz García')
  const texts = { Team: 'Design', About: 'I draw.', Site: 'https://example.com/ana', Pronouns: 'she/her' }
  for (const [name, text] of Object.entries(texts)) await fill(page, name, text)
  await page.getByLabel('Birthday').fill('1990-05-04')
  await page.getByLabel('Color').selectOption({ label: 'Green' })
  await page.getByRole('combobox', { name: 'Add to: Mentor' }).fill('bo')
  await page.getByRole('option', { name: /Bo Lind/ }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  const wanted = { ...texts, Birthday: '1990-05-04', Color: 'g', Mentor: JSON.stringify([bo.id]) }
  await expect
    .poll(async () => {
      const { body } = await ana.get(`/users/${ana.id}`, { include_custom_profile_fields: true })
      return Object.fromEntries([...made].map(([name, id]) => [name, body.user.profile_data[id]?.value]))
    })
    .toEqual(wanted)
  await expect.poll(async () => (await ana.get('/users/me')).body.full_name).toBe('Ana Ruiz García')
  await expect.poll(() => other.getByLabel('Birthday').inputValue()).toBe('1990-05-04')
  await expect.poll(() => other.getByLabel('About', { exact: true }).inputValue()).toBe('I draw.')
  await expect.poll(() => other.getByLabel('Name', { exact: true }).inputValue()).toBe('Ana Ruiz García')
  expect(problems).toEqual([])
})

test('a field that the server refuses keeps what was typed, with the reason', async () => {
  const { org, page } = await scene('profile')
  await org.owner.post('/realm/profile_fields', { name: 'Site', field_type: 5 })
  await page.getByLabel('Site', { exact: true }).waitFor()
  await fill(page, 'Site', 'no address')
  await page.getByRole('alert').filter({ hasText: 'Site is not a URL' }).waitFor()
  expect(await page.getByLabel('Site', { exact: true }).inputValue()).toBe('no address')
})

test('alert words, muted people and followed topics are changed, in all tabs', async () => {
  const { org, ana, page, other, url, problems } = await scene('alert-words')
  await page.getByLabel('New word').fill('rookery')
  await page.keyboard.press('Enter')
  await other.getByRole('button', { name: 'Remove the word: rookery' }).waitFor()
  expect((await ana.get('/users/me/alert_words')).body.alert_words).toEqual(['rookery'])
  await other.getByRole('button', { name: 'Remove the word: rookery' }).click()
  await page.getByText('You have no alert words.').waitFor()
  const channel = await org.channel({ name: 'design', subscribers: [ana] })
  await ana.post('/user_topics', { stream_id: channel.id, topic: 'Icons', visibility_policy: 3 })
  await page.goto(`${url}#settings/muted`)
  await other.goto(`${url}#settings/muted`)
  await page.getByRole('combobox', { name: 'Add to: Mute a person' }).fill('bo')
  await page.getByRole('option', { name: /Bo Lind/ }).click()
  await other.getByRole('button', { name: 'Unmute Bo Lind' }).click()
  await page.getByText('You have muted nobody.').waitFor()
  await page.getByLabel(/› Icons/).selectOption({ label: 'As the channel' })
  await other.getByText('You have muted and followed no topic.').waitFor()
  expect(problems()).toEqual([])
})

test('sessions and keys are listed, created and ended, and the password is changed', async () => {
  const { org, ana, page, url } = await scene('sessions')
  const keys = async () => (await ana.get('/rookery/keys')).body.keys.length
  const before = await keys()
  await page.getByLabel('Your password').fill(ana.password)
  await page.getByRole('button', { name: 'Create a key' }).click()
  const key = await page.locator('.set-secret').textContent()
  expect(key).toMatch(/^\w{32,}$/)
  expect(await keys()).toBe(before + 1)
  await page
    .getByRole('region', { name: 'API keys' })
    .getByRole('button', { name: /^End the login: (?!test)/ })
    .last()
    .click()
  await expect.poll(keys).toBe(before)
  const earlier = page.getByRole('region', { name: 'Recent logins' })
  const { logins } = (await ana.get('/rookery/logins')).body
  await expect.poll(() => earlier.locator('tr[aria-rowindex]').count()).toBeGreaterThan(1)
  await earlier.getByText(logins[0].ip).first().waitFor()
  await page.goto(`${url}#settings/account-and-privacy`)
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password').fill('a quite new password 7')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('Wrong password!').waitFor()
  await page.getByLabel('Current password').fill(ana.password)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password was changed.').waitFor()
  const login = { username: ana.email, password: 'a quite new password 7' }
  expect((await org.visitor.post('/fetch_api_key', login)).body.result).toBe('success')
})

test('a bot is created, changed and deactivated, and its key is replaced', async () => {
  const { org, ana, page, other } = await scene('bots')
  await page.getByLabel('Name', { exact: true }).fill('Deployer')
  await page.getByLabel('Short name').fill('deployer')
  await page.getByRole('button', { name: 'Create the bot' }).click()
  await other.getByText('Deployer', { exact: true }).click()
  const bot = () => [...org.state.users.values()].find((one) => one.delivery_email.startsWith('deployer-bot'))
  await other.locator('[data-key=bot_name] input').fill('Releaser')
  await other.locator('[data-key=bot_name] input').blur()
  await page.getByText('Releaser', { exact: true }).click()
  await page.getByRole('button', { name: 'Show the key' }).click()
  const key = await page.locator('.set-secret').textContent()
  expect((await ana.get('/bots')).body.bots[0].api_key).toBe(key)
  await page.getByRole('button', { name: 'Replace the key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the key' }).click()
  await expect.poll(() => page.locator('.set-secret').textContent()).not.toBe(key)
  await page.getByRole('button', { name: 'Deactivate the bot' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate the bot' }).click()
  await other.getByText(/Deactivated ·/).waitFor()
  expect(bot()?.is_active).toBe(false)
})

test('an uploaded file is listed and deleted, in all tabs', async () => {
  const { ana, page, other } = await scene('uploads')
  const made = await sendFiles(ana, 'POST', '/user_uploads', [
    { name: 'notes.txt', content: Buffer.from('Hello') },
  ])
  expect(made.status).toBe(200)
  await other.getByRole('link', { name: 'notes.txt' }).waitFor()
  await page.getByRole('button', { name: 'Delete the file: notes.txt' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await other.getByText('You have uploaded no files.').waitFor()
  expect((await ana.get('/attachments')).body.attachments).toEqual([])
})

test('a user leaves after typing their address', async () => {
  const { ana, org, page } = await scene('account')
  await page.getByRole('button', { name: 'Deactivate my account' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Deactivate my account' })
  expect(await confirm.isDisabled()).toBe(true)
  await dialog.getByLabel(/^Type/).fill(ana.email)
  await confirm.click()
  await page.waitForURL('**/login**')
  expect(org.state.users.require(ana.id).is_active).toBe(false)
})
