import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  joiningTable,
  messagesTable,
  profileTable,
} from '../../../web/view/settings/organization/tables/general.ts'
import { permissionsTable } from '../../../web/view/settings/organization/tables/permissions.ts'
import { type Screen, settingsOf } from '../../../web/view/settings/parts/declare.ts'
import { openPage, type WebPage, type WebUser, webBrowser, webUser } from '../../browser/chromium.ts'
import type { Organization } from '../../organization.ts'
import { sharedServer } from '../../test-server.ts'
import { english, walkScreen } from '../settings-walk.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** Olga owns the organization, Ana is a member of it. */
async function scene() {
  const org = await organization()
  const [olga, ana] = [await webUser(org, 'Olga Owner'), await webUser(org, 'Ana Ruiz')]
  await org.owner.patch(`/users/${olga.id}`, { role: 100 })
  return { org, olga, ana }
}

async function twoTabs(org: Organization, user: WebUser, address: string) {
  const first = await browser.open(org, user, address)
  const second = await openPage(first.context, first.url + address)
  return { first, second }
}

/** The settings of the organization by the names that `PATCH /realm` has. */
function settingsIn(registered: Record<string, unknown>) {
  const entries = Object.entries(registered).filter(([name]) => name.startsWith('realm_'))
  return Object.fromEntries(entries.map(([name, value]) => [name.slice('realm_'.length), value]))
}

const screens: [string, Screen, string[]][] = [
  // The names of languages are not the same in every browser.
  ['#organization/profile', profileTable, ['default_language']],
  // Without the setting that one of them needs, it cannot be changed.
  ['#organization/permissions', permissionsTable, ['allow_message_editing']],
  // The list of providers depends on the server, and digests need a mail server: see digest-settings.test.ts.
  [
    '#organization/messages',
    messagesTable,
    ['video_chat_provider', 'digest_emails_enabled', 'digest_weekday'],
  ],
  ['#organization/joining', joiningTable, []],
]

test.each(screens)(
  'each setting of %s is saved, and shown in another tab immediately',
  async (address, screen, except) => {
    const { org, olga } = await scene()
    const { first, second } = await twoTabs(org, olga, address)
    const walked = await walkScreen({ address, screen, user: olga, first, second, read: settingsIn, except })
    expect(walked.length).toBeGreaterThan(2)
    expect([...first.problems, ...second.problems]).toEqual([])
  },
)

test('each permission is given to a person besides, or to another role', async () => {
  const { org, olga, ana } = await scene()
  await org.owner.patch('/realm', { enable_spectator_access: true })
  const { first, second } = await twoTabs(org, olga, '#organization/permissions')
  const permissions = settingsOf(permissionsTable).filter(({ kind }) => kind === 'group')
  const supported = (await olga.register()).state.server_supported_permission_settings.realm
  const savedValue = async (name: string) => settingsIn((await olga.register()).state)[name]
  for (const { key, text } of permissions) {
    const before = await savedValue(key)
    const row = first.page.locator(`[data-key="${key}"]`)
    const shown = second.page.locator(`[data-key="${key}"]`)
    if (supported[key].require_system_group) {
      const control = row.getByLabel(english(text))
      await control.waitFor()
      const options = await control.locator('option').allTextContents()
      const now = await control.locator('option:checked').textContent()
      const other = options.find((option) => option !== now) ?? ''
      await control.selectOption({ label: other })
      await expect.poll(() => shown.locator('option:checked').textContent(), { message: key }).toBe(other)
      expect(await savedValue(key)).not.toEqual(before)
      continue
    }
    await row.getByRole('combobox').fill('ana')
    await first.page.getByRole('option', { name: /Ana Ruiz/ }).click()
    await row.getByRole('button', { name: 'Save' }).click()
    await shown.getByText('Ana Ruiz').waitFor()
    expect(await savedValue(key), key).toEqual({ direct_members: [ana.id], direct_subgroups: [before] })
  }
  expect([...first.problems, ...second.problems]).toEqual([])
})

test('those who may not change a setting see it disabled, with the reason', async () => {
  const { org, ana } = await scene()
  const admin = await webUser(org, 'Ada Admin')
  await org.owner.patch(`/users/${admin.id}`, { role: 200 })
  const member = await browser.open(org, ana)
  for (const [address, screen] of screens) {
    await goTo(member, address)
    for (const { key } of settingsOf(screen)) {
      const row = member.page.locator(`[data-key="${key}"]`)
      await row.getByText('Only administrators may change this.').waitFor()
      expect(await enabledControls(row), key).toBe(0)
    }
  }
  const { page } = await browser.open(org, admin, '#organization/joining')
  const row = page.locator('[data-key="invite_required"]')
  await row.getByText('Only owners may change this.').waitFor()
  expect(await enabledControls(row)).toBe(0)
  expect(await enabledControls(page.locator('[data-key="send_welcome_emails"]'))).toBe(1)
})

async function goTo({ page, url }: WebPage, address: string) {
  await page.goto(url + address)
  await page.locator('.settings-content .set-row').first().waitFor()
}

function enabledControls(row: ReturnType<Page['locator']>) {
  return row.locator(':is(input, select, textarea, button):enabled').count()
}

test('what a setting needs is said where it is missing', async () => {
  const { org, olga } = await scene()
  const { page } = await browser.open(org, olga, '#organization/permissions')
  const limit = page.locator('[data-key="message_content_edit_limit_seconds"]')
  await limit.waitFor()
  expect(await enabledControls(limit)).toBeGreaterThan(0)
  await page.getByLabel('Allow message editing').uncheck()
  await limit.getByText('The setting above is off.').waitFor()
  expect(await enabledControls(limit)).toBe(0)
  await expect.poll(async () => (await olga.register()).state.realm_allow_message_editing).toBe(false)
})

test('ways of signing in, call server and language are chosen', async () => {
  const { org, olga } = await scene()
  const { first, second } = await twoTabs(org, olga, '#organization/profile')
  const state = async () => (await olga.register()).state
  await first.page.getByLabel('Language', { exact: true }).selectOption({ label: 'Deutsch' })
  await expect.poll(async () => (await state()).realm_default_language).toBe('de')
  for (const { page, url } of [first, second]) await page.goto(`${url}#organization/messages`)
  await first.page.getByLabel('Jitsi server').fill('https://calls.example.com')
  await first.page.getByLabel('Jitsi server').blur()
  await expect
    .poll(() => second.page.getByLabel('Jitsi server').inputValue())
    .toBe('https://calls.example.com')
  expect((await state()).realm_jitsi_server_url).toBe('https://calls.example.com')
  await first.page.getByLabel('Call provider').selectOption({ label: 'None' })
  await second.page.getByLabel('Jitsi server').waitFor({ state: 'detached' })
  await first.page.goto(`${first.url}#organization/login`)
  // The last way of signing in stays.
  await first.page.getByLabel('Email address and password').click()
  await first.page
    .getByRole('alert')
    .getByText('At least one authentication method must be enabled.')
    .waitFor()
  await expect.poll(() => first.page.getByLabel('Email address and password').isChecked()).toBe(true)
})

test('channels for announcements and reports are chosen', async () => {
  const { org, olga } = await scene()
  const news = await org.channel({ name: 'news', subscribers: [olga] })
  const safety = await org.channel({ name: 'safety', isPrivate: true, subscribers: [olga], creator: olga })
  const { first, second } = await twoTabs(org, olga, '#organization/channels')
  for (const label of ['New channels', 'New users']) {
    await first.page.getByLabel(label, { exact: true }).selectOption({ label: '#news' })
    const shown = second.page.getByLabel(label, { exact: true }).locator('option:checked')
    await expect.poll(() => shown.textContent()).toBe('#news')
  }
  for (const { page, url } of [first, second]) await page.goto(`${url}#organization/reports`)
  const options = first.page.getByLabel('Moderation channel').locator('option')
  await expect.poll(() => options.allTextContents()).not.toContain('#news')
  await first.page.getByLabel('Moderation channel').selectOption({ label: '#safety' })
  await second.page.getByText('Reports arrive in #safety').waitFor()
  expect((await olga.register()).state).toMatchObject({
    realm_new_stream_announcements_stream_id: news.id,
    realm_signup_announcements_stream_id: news.id,
    realm_moderation_request_channel_id: safety.id,
  })
})
