import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appearance } from '../../../web/view/settings/you/appearance.ts'

import { webBrowser, webUser } from '../../browser/chromium.ts'
import { png } from '../../pictures.ts'
import { testServer } from '../../test-server.ts'
import { violations } from '../axe.ts'
import { sectionOpens, walkScreen } from '../settings-walk.ts'
import { ownerInTwoTabs } from '../two-tabs.ts'

const { organization, workOff } = testServer()
const browser = webBrowser()
const sections = readFileSync(
  new URL('../../../web/view/settings/organization/sections.ts', import.meta.url),
  'utf8',
)
const addresses = [...sections.matchAll(/address: '(organization\/[^']+)'/g)].map(
  ([, address = '']) => address,
)

const picture = async () => ({
  name: 'Party Parrot.png',
  mimeType: 'image/png',
  buffer: await png(40, 20),
})

const scene = (section: string) => ownerInTwoTabs(browser, organization, section)

test('an emoji is uploaded, gets another name, and is deactivated', async () => {
  const { page, other, state } = await scene('emoji')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add emoji' }).click()
  await dialog.getByLabel('Picture').setInputFiles(await picture())
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('party_parrot')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await other.getByText(':party_parrot:').waitFor()
  await page.getByRole('button', { name: 'Add another name for :party_parrot:' }).click()
  await dialog.getByLabel('Name').fill('bird')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await other.getByText(':bird:', { exact: true }).waitFor()
  await other.getByRole('button', { name: 'Deactivate :party_parrot:' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Deactivate emoji' }).click()
  await page.getByRole('heading', { name: 'Deactivated emoji' }).waitFor()
  const emoji: { name: string; deactivated: boolean }[] = Object.values((await state()).realm_emoji)
  expect(emoji).toMatchObject([
    { name: 'party_parrot', deactivated: true },
    { name: 'bird', deactivated: false },
  ])
})

test('the icon is cropped, sent and removed', async () => {
  const { page, other, state } = await scene('profile')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await picture())
  await page.getByRole('dialog').getByRole('button', { name: 'Use this part' }).click()
  await other.getByRole('button', { name: 'Remove the picture' }).waitFor()
  expect((await state()).realm_icon_source).toBe('U')
  await other.getByRole('button', { name: 'Remove the picture' }).click()
  await page.getByRole('button', { name: 'Remove the picture' }).waitFor({ state: 'detached' })
  expect((await state()).realm_icon_source).toBe('G')
})

test('defaults for new users are chosen', async () => {
  const { olga, first, second } = await scene('defaults')
  const read = ({ realm_user_settings_defaults: values }: Record<string, unknown>) =>
    values as Record<string, unknown>
  const defaults = (await olga.register()).state.realm_user_settings_defaults
  const groups = appearance.groups.map((group) => ({
    ...group,
    settings: group.settings.filter(({ key }) => key in defaults),
  }))
  await walkScreen({
    address: '#organization/defaults',
    screen: { ...appearance, groups },
    user: olga,
    first,
    second,
    read,
  })
})

test('an export is started, downloaded and deleted', async () => {
  const { olga, page, other } = await scene('exports')
  await page.getByRole('button', { name: 'Start an export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start', exact: true }).click()
  await other.getByText(/Public data/).waitFor()
  await workOff()
  const link = other.getByRole('link', { name: 'Download' })
  await link.waitFor()
  const [download] = await Promise.all([other.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toMatch(/\.tar\.gz$/)
  await page.getByRole('button', { name: 'Delete export' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await other.getByText(/deleted on/).waitFor()
  expect((await olga.get('/export/realm')).body.exports[0].export_url).toBeNull()
})

test('the audit log shows what has changed, by kind and person, and for how long it is kept', async () => {
  const { org, ana, olga, page } = await scene('users')
  const gone = await org.person({ name: 'Gus Former' })
  await org.owner.delete(`/users/${gone.id}`)
  await olga.patch(`/users/${ana.id}`, { full_name: 'Ana Arp' })
  await page.evaluate("location.hash = '#organization/audit-log'")
  await page.getByLabel('About').selectOption({ label: 'User' })
  await page.getByRole('combobox', { name: 'Add to: By' }).fill('olga')
  await page.getByRole('option', { name: /Olga Owner/ }).click()
  await page.getByRole('combobox', { name: 'Add to: By' }).fill('gus')
  await page.getByRole('option', { name: /Gus Former/ }).waitFor()
  await page.getByRole('combobox', { name: 'Add to: By' }).fill('')
  // The entries that match take the place of those before.
  await page.locator('.audit-entries[aria-busy=false]').waitFor()
  const entry = page.getByRole('listitem').filter({ hasText: 'User · changed' }).first()
  await entry.getByText('1 value changed').click()
  await entry.getByRole('row', { name: 'full_name Ana Ruiz Ana Arp' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('audit-log.csv')
  await page.getByLabel('Keep entries for').selectOption({ label: '1 year' })
  await expect.poll(async () => (await olga.get('/rookery/audit_log')).body.retention_days).toBe(365)
})

test('the organization is closed only after its name was typed', async () => {
  const { org, page } = await scene('closing')
  await page.getByRole('button', { name: 'Close the organization' }).click()
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close it for everyone' })
  expect(await close.isDisabled()).toBe(true)
  await page.getByLabel(/to go on/).fill(org.state.row.name)
  await close.click()
  await expect.poll(() => org.state.row.is_deactivated).toBe(true)
})

test('members see what they may not change, with the reason, and guests less', async () => {
  const { org, ana } = await scene('users')
  const { page, url } = await browser.open(org, ana, '#organization/exports')
  await page.locator('.settings-content').getByText('Only administrators may change this.').waitFor()
  await page.goto(`${url}#organization/audit-log`)
  await page.locator('.settings-content').getByText('Only owners may change this.').waitFor()
  for (const [section, name] of [
    ['folders', 'New folder'],
    ['linkifiers', 'New linkifier'],
    ['playgrounds', 'New playground'],
    ['profile-fields', 'New field'],
    ['users', 'Create user'],
    ['joining', 'Add a domain'],
    ['closing', 'Close the organization'],
  ] as const) {
    await page.goto(`${url}#organization/${section}`)
    const control = page.locator('.settings-content').getByRole('button', { name })
    await control.waitFor()
    expect(await control.isDisabled(), section).toBe(true)
  }
})

test.each(['light', 'dark'] as const)(
  'no section has a serious fault of accessibility (%s)',
  // On a busy machine, axe takes seconds for a section.
  { timeout: 180_000 },
  async (colorScheme) => {
    const org = await organization()
    const olga = await webUser(org, 'Olga Owner')
    await org.owner.patch(`/users/${olga.id}`, { role: 100 })
    await org.owner.post('/realm/filters', {
      pattern: '#(?P<id>[0-9]+)',
      url_template: 'https://example.com/{id}',
    })
    await org.owner.post('/channel_folders/create', { name: 'One', description: '' })
    const { page, url } = await browser.open(org, olga, '', { colorScheme })
    for (const address of addresses) {
      await page.goto(`${url}#${address}`)
      await sectionOpens(page, `#${address}`)
      expect(await violations(page), address).toEqual([])
    }
  },
)
