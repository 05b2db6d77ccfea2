import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { mailsTo } from '../../mailbox.ts'
import { sharedServer } from '../../test-server.ts'
import { english } from '../settings-walk.ts'

// Users change their own accounts, and see a change of their role.

const { organization } = sharedServer()
const browser = webBrowser()

test('the password changes, and a wrong one is refused below the fields', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const { page } = await browser.open(org, ana, '#settings/account')
  const next = 'an even longer password'
  const change = async (old: string) => {
    await page.getByLabel(english('account.old_password')).fill(old)
    await page.getByLabel(english('account.new_password'), { exact: true }).fill(next)
    await page.getByRole('button', { name: english('account.change_password') }).click()
  }
  await change('not the password')
  await page.getByRole('alert').waitFor()
  await change(ana.password)
  await page.getByText(english('account.password_changed')).waitFor()
  const keyFor = (password: string) =>
    org.visitor.post('/fetch_api_key', { username: 'ana.ruiz@example.com', password })
  expect((await keyFor(next)).status).toBe(200)
  expect((await keyFor(ana.password)).status).toBe(401)
})

test('a new address waits for its link, and the latest one is named until it is confirmed', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const { page } = await browser.open(org, ana, '#settings/account')
  for (const email of ['ana@example.org', 'ruiz@example.org']) {
    await page.getByLabel(english('account.new_email')).fill(email)
    await page.getByRole('button', { name: english('account.change_email'), exact: true }).click()
    await page.getByText(`We have sent a link to ${email}.`).waitFor()
  }
  expect((await ana.get('/users/me')).body.delivery_email).toBe('ana.ruiz@example.com')
  const [mail] = await mailsTo(org, 'ruiz@example.org')
  const [path = ''] = /\/accounts\/confirm_new_email\/\w+/.exec(mail?.text ?? '') ?? []
  const tab = await page.context().newPage()
  await tab.goto(new URL(path, page.url()).href)
  await tab.getByRole('button').click()
  await page.getByText('Your address is ruiz@example.org.').waitFor()
  await page.getByText('We have sent a link').waitFor({ state: 'detached' })
  await tab.getByRole('link', { name: 'Back to the messages' }).click()
  await tab.getByRole('heading', { name: 'Inbox' }).waitFor()
})

test('a user leaves only after the address was typed', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const { page } = await browser.open(org, ana, '#settings/account')
  await page.getByRole('button', { name: english('account.leave') }).click()
  const dialog = page.getByRole('dialog')
  const leave = dialog.getByRole('button', { name: english('account.leave') })
  expect(await leave.isDisabled()).toBe(true)
  await dialog.getByLabel(/^Type/).fill('ana.ruiz@example.com')
  await leave.click()
  await page.waitForURL(/\/login/)
  expect((await org.owner.get(`/users/${ana.id}`)).body.user.is_active).toBe(false)
})

test('a part of a picture is chosen with the arrows and the size, and becomes the picture', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const { page } = await browser.open(org, ana, '#settings/profile')
  const choose = () =>
    page
      .locator('input[type=file]')
      .first()
      .setInputFiles(new URL('../../../web/public/icon-192.png', import.meta.url).pathname)
  const dialog = page.getByRole('dialog')
  await choose()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await choose()
  const canvas = dialog.locator('canvas')
  const drawn = () => page.evaluate<string>("document.querySelector('dialog canvas').toDataURL()")
  const use = dialog.getByRole('button', { name: english('image.use') })
  // From then on the picture is drawn.
  await expect.poll(() => use.isEnabled()).toBe(true)
  const whole = await drawn()
  await dialog.getByRole('slider').fill('3')
  await expect.poll(drawn).not.toBe(whole)
  const centred = await drawn()
  await canvas.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(drawn).not.toBe(centred)
  await use.click()
  await page.getByRole('button', { name: english('image.remove') }).waitFor()
  await expect.poll(async () => (await ana.register()).state.avatar_source).toBe('U')
})

test('a change of the own role shows immediately, and back', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const channel = await org.channel({ name: 'design', subscribers: [ana] })
  const { page, url, problems } = await browser.open(org, ana, `#channels/${channel.id}/general`)
  const refusals = page.getByText(english('channel.only_organization_administrators'))
  await refusals.first().waitFor()
  await org.owner.patch(`/users/${ana.id}`, { role: 200 })
  await expect.poll(() => refusals.count()).toBe(0)
  await org.owner.patch(`/users/${ana.id}`, { role: 400 })
  await refusals.first().waitFor()
  await page.goto(`${url}#organization/users`)
  const create = page.getByRole('button', { name: 'Create user' })
  await create.waitFor()
  expect(await create.isDisabled()).toBe(true)
  await org.owner.patch(`/users/${ana.id}`, { role: 200 })
  await expect.poll(() => create.isEnabled()).toBe(true)
  expect(problems).toEqual([])
})
