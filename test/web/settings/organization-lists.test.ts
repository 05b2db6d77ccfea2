import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { ownerInTwoTabs } from '../two-tabs.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const scene = (section: string) => ownerInTwoTabs(browser, organization, section)

const button = (name: string | RegExp) => ['button', { name }] as const

test('a user is renamed, gets a role, is deactivated and comes back', async () => {
  const { org, ana, page, other } = await scene('users')
  await page.getByRole(...button('Edit Ana Ruiz')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Ana Arp')
  await dialog.getByRole(...button('Save')).click()
  await other
    .getByRole('cell', { name: /Ana Arp/ })
    .first()
    .waitFor()
  await dialog.getByRole(...button('Save')).waitFor({ state: 'detached' })
  await dialog.getByLabel('Role').selectOption({ label: 'Moderator' })
  await dialog.getByRole(...button('Save')).click()
  await other.getByRole('cell', { name: 'Moderator' }).waitFor()
  const user = async () => (await org.owner.get(`/users/${ana.id}`)).body.user
  expect(await user()).toMatchObject({ full_name: 'Ana Arp', role: 300 })
  await dialog.getByRole(...button('Deactivate user')).click()
  const question = page.getByRole('dialog', { name: 'Deactivate Ana Arp' })
  await question.getByText('They are signed out everywhere and can no longer sign in.').waitFor()
  await question.getByRole(...button('Deactivate')).click()
  await other
    .getByRole('cell', { name: /Ana Arp/ })
    .first()
    .waitFor({ state: 'detached' })
  expect(await user()).toMatchObject({ is_active: false })
  await other.evaluate("location.hash = '#organization/deactivated'")
  await other.getByRole(...button('Reactivate Ana Arp')).click()
  await other
    .getByRole('dialog')
    .getByRole(...button('Reactivate'))
    .click()
  await page
    .getByRole('cell', { name: /Ana Arp/ })
    .first()
    .waitFor()
  expect(await user()).toMatchObject({ is_active: true })
})

test('the role of a bot is shown as it is, also if the user may not give it', async () => {
  const { org, olga } = await scene('bots')
  const { body } = await olga.post('/bots', { full_name: 'Mighty', short_name: 'mighty' })
  expect((await olga.patch(`/bots/${body.user_id}`, { role: 100 })).body.result).toBe('success')
  const admin = await webUser(org, 'Ada Admin')
  await org.owner.patch(`/users/${admin.id}`, { role: 200 })
  const { page } = await browser.open(org, admin, '#organization/bots')
  await page.getByRole(...button('Edit Mighty')).click()
  const role = page.getByRole('dialog').getByLabel('Role')
  expect(await role.locator('option:checked').textContent()).toBe('Owner')
  expect(await role.isDisabled()).toBe(true)
})

test('a folder that was not moved does not take the focus when another user moves it', async () => {
  const { olga, page, other } = await scene('folders')
  for (const name of ['One', 'Two']) await olga.post('/channel_folders/create', { name, description: '' })
  const json = { result: 'error', code: 'BAD_REQUEST', msg: 'Not today' }
  await page.route('**/json/channel_folders', (route) => route.fulfill({ status: 400, json }))
  await page.getByRole(...button('Move Two up')).click()
  await page.getByText('Not today').waitFor()
  await page.getByRole(...button('New folder')).focus()
  await other.getByRole(...button('Move Two up')).click()
  const first = page.getByRole('list', { name: 'Channel folders' }).getByRole('listitem').first()
  await expect.poll(() => first.textContent()).toContain('Two')
  expect(await page.evaluate('document.activeElement.textContent')).toBe('New folder')
})

test('invitations are sent, made as links, and revoked', async () => {
  const { olga, page, other } = await scene('invitations')
  await page.getByRole(...button('Invite by email')).click()
  await page.getByLabel(/Email addresses/).fill('new@example.com')
  await page.getByLabel('Valid for').selectOption({ label: 'Without end' })
  await page.getByLabel('Role').selectOption({ label: 'Guest' })
  await page
    .getByRole('dialog')
    .getByRole(...button('Invite'))
    .click()
  await other.getByText('new@example.com').waitFor()
  const invites = async () => (await olga.get('/invites')).body.invites
  expect(await invites()).toMatchObject([{ email: 'new@example.com', invited_as: 600, expiry_date: null }])
  await page.getByText('The invitations are ready, and wait for a mail server.').waitFor()
  await page.getByRole(...button('New invitation link')).click()
  await page
    .getByRole('dialog')
    .getByRole(...button('Create link'))
    .click()
  const url = await page.getByLabel('Link', { exact: true }).inputValue()
  await other.getByText(url).waitFor()
  await other.getByRole(...button('Revoke the invitation new@example.com')).click()
  await other
    .getByRole('dialog')
    .getByRole(...button('Revoke invitation'))
    .click()
  await page.getByText('new@example.com', { exact: true }).waitFor({ state: 'detached' })
  expect(await invites()).toMatchObject([{ is_multiuse: true, link_url: url }])
})

test('an invitation names the addresses that are at fault, and those that got none', async () => {
  const { olga, page, other } = await scene('invitations')
  await page.getByRole(...button('Invite by email')).click()
  const dialog = page.getByRole('dialog')
  const invite = async (addresses: string) => {
    await page.getByLabel(/Email addresses/).fill(addresses)
    await dialog.getByRole(...button('Invite')).click()
  }
  await invite(`new@example.com, nonsense`)
  await dialog.getByText(/did not validate.* nonsense: Invalid address\./).waitFor()
  await invite(`new@example.com; ${olga.email}`)
  await page.getByText(`All others did. ${olga.email}: Already has an account.`).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await other.getByText('new@example.com').waitFor()
})

test('an invitation is sent again once however often one presses, and a notice says why it was not', async () => {
  const { olga, page } = await scene('invitations')
  await olga.post('/invites', { invitee_emails: 'new@example.com', stream_ids: [] })
  const held: Route[] = []
  await page.route('**/resend', (route) => void held.push(route))
  const again = page.getByRole(...button('Send the invitation to new@example.com again'))
  await again.dblclick()
  await expect.poll(() => held.length).toBe(1)
  const refusal = { result: 'error', code: 'BAD_REQUEST', msg: 'Enough for a day' }
  await held[0]!.fulfill({ status: 400, json: refusal })
  await page.getByText('That did not work: Enough for a day').waitFor()
  expect(held).toHaveLength(1)
  await again.click()
  await expect.poll(() => held.length).toBe(2)
  await held[1]!.continue()
  await page.getByText('The invitations are ready, and wait for a mail server.').waitFor()
})

test('folders are made, ordered, renamed and archived', async () => {
  const { page, other, state } = await scene('folders')
  for (const name of ['One', 'Two']) {
    await page.getByRole(...button('New folder')).click()
    await page.getByRole('dialog').getByLabel('Name').fill(name)
    await page
      .getByRole('dialog')
      .getByRole(...button('Create'))
      .click()
    await other.getByRole('listitem').filter({ hasText: name }).waitFor()
  }
  await page.getByRole(...button('Move Two up')).click()
  await expect
    .poll(() =>
      other.getByRole('list', { name: 'Channel folders' }).getByRole('listitem').first().textContent(),
    )
    .toContain('Two')
  await page.getByRole(...button('Edit Two')).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Zwei')
  await page
    .getByRole('dialog')
    .getByRole(...button('Save'))
    .click()
  await other.getByRole(...button('Archive Zwei')).click()
  await page.getByRole('heading', { name: 'Archived folders' }).waitFor()
  const { channel_folders: folders } = await state()
  expect(folders).toMatchObject([{ name: 'Zwei', is_archived: true }, { name: 'One' }])
})

test('channels for new users are chosen, alone and in groups', async () => {
  const { olga, page, other, state } = await scene('channels')
  await olga.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }, { name: 'code' }] })
  const idOf = async (name: string) => (await olga.get('/get_stream_id', { stream: name })).body.stream_id
  const add = page.getByLabel('Add a channel', { exact: true })
  await add.selectOption({ label: '#news' })
  await other.getByRole(...button('Remove #news')).waitFor()
  expect((await state()).realm_default_streams).toContain(await idOf('news'))
  await other.getByRole(...button('Remove #news')).click()
  await page.getByRole(...button('Remove #news')).waitFor({ state: 'detached' })
  await page.getByRole(...button('New group')).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Developers')
  await page
    .getByRole('dialog')
    .getByRole(...button('Create'))
    .click()
  await page.getByLabel('Add a channel to Developers').selectOption({ label: '#code' })
  await other.getByRole('list', { name: 'Developers' }).getByText('#code').waitFor()
  expect((await state()).realm_default_stream_groups).toMatchObject([
    { name: 'Developers', streams: [await idOf('code')] },
  ])
})

test('a linkifier is tried, added, ordered and removed', async () => {
  const { page, other, state } = await scene('linkifiers')
  const dialog = page.getByRole('dialog')
  for (const [pattern, url] of [
    ['T(?P<id>[0-9]+)', 'https://example.com/t/{id}'],
    ['B(?P<id>[0-9]+)', 'https://example.com/b/{id}'],
  ] as const) {
    await page.getByRole(...button('New linkifier')).click()
    await dialog.getByLabel(/Pattern/).fill(pattern.replace(')', ''))
    await dialog.getByLabel('URL template').fill(url)
    await dialog.getByLabel('Try it').fill('See T12 and B7')
    await dialog
      .getByRole('status')
      .getByText(/Bad regular expression/)
      .waitFor()
    await dialog.getByLabel(/Pattern/).fill(pattern)
    await dialog.getByRole('link', { name: /example\.com/ }).waitFor()
    await dialog.getByRole(...button('Add')).click()
    await other.getByText(pattern).waitFor()
  }
  await page.getByRole(...button('Move B(?P<id>[0-9]+) up')).click()
  await expect
    .poll(async () => (await state()).realm_linkifiers.map(({ pattern }: { pattern: string }) => pattern[0]))
    .toEqual(['B', 'T'])
  await other.getByRole(...button('Remove T(?P<id>[0-9]+)')).click()
  await other
    .getByRole('dialog')
    .getByRole(...button('Remove'))
    .click()
  await page.getByText('T(?P<id>[0-9]+)').waitFor({ state: 'detached' })
  expect((await state()).realm_linkifiers).toHaveLength(1)
})

test('a profile field with options is made, shown in the card, changed and removed', async () => {
  const { page, other, state } = await scene('profile-fields')
  await page.getByRole(...button('New field')).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type').selectOption({ label: 'List of options' })
  await dialog.getByLabel('Name').fill('Team')
  await dialog.getByLabel('Option 1').fill('Design')
  await dialog.getByRole(...button('Add an option')).click()
  await dialog.getByLabel('Option 2').fill('Support')
  await dialog.getByRole(...button('Move Support up')).click()
  await dialog
    .getByRole(...button('Add'))
    .last()
    .click()
  await other.getByLabel('In the card').check()
  await expect.poll(() => page.getByLabel('In the card').isChecked()).toBe(true)
  const [field] = (await state()).custom_profile_fields
  expect(field).toMatchObject({ name: 'Team', type: 3, display_in_profile_summary: true })
  expect(Object.values(JSON.parse(field.field_data))).toEqual([
    { text: 'Support', order: '1' },
    { text: 'Design', order: '2' },
  ])
  await other.getByRole(...button('Remove Team')).click()
  await other
    .getByRole('dialog')
    .getByRole(...button('Remove'))
    .click()
  await page.getByText('No fields.').waitFor()
})

test('domains and playgrounds are added and removed', async () => {
  const { page, other, state } = await scene('joining')
  await page.getByRole(...button('Add a domain')).click()
  await page.getByRole('dialog').getByLabel('Domain', { exact: true }).fill('example.org')
  await page
    .getByRole('dialog')
    .getByRole(...button('Add'))
    .click()
  await other.getByLabel('With subdomains').check()
  await expect
    .poll(async () => (await state()).realm_domains)
    .toContainEqual({
      domain: 'example.org',
      allow_subdomains: true,
    })
  await page.getByRole(...button('Remove example.org')).click()
  await other.getByText('No domains.').waitFor()
  for (const tab of [page, other]) await tab.evaluate("location.hash = '#organization/playgrounds'")
  await page.getByRole(...button('New playground')).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Play')
  await page.getByRole('dialog').getByLabel('Language').fill('Python')
  await page
    .getByRole('dialog')
    .getByLabel(/URL template/)
    .fill('https://example.com/?code={code}')
  await page
    .getByRole('dialog')
    .getByRole(...button('Add'))
    .click()
  await other.getByRole(...button('Remove Play')).click()
  await page.getByText('No playgrounds.').waitFor()
})
