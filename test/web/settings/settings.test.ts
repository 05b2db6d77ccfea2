import { expect, test } from 'vitest'
import { updateSettings } from '../../../src/features/accounts/own-account/update-settings.ts'
import { settingsOf } from '../../../web/view/settings/parts/declare.ts'
import { appearance } from '../../../web/view/settings/you/appearance.ts'
import { notifications } from '../../../web/view/settings/you/notifications.ts'
import { forOtherClients, inForms } from '../../../web/view/settings/you/other-clients.ts'
import { preferences } from '../../../web/view/settings/you/preferences.ts'
import { privacy } from '../../../web/view/settings/you/privacy.ts'
import { openPage, webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { walkScreen } from '../settings-walk.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('each setting of the API is on a screen, or listed as one of other clients', () => {
  const shown = [appearance, notifications, preferences, privacy].flatMap(settingsOf).map(({ key }) => key)
  const all = [...shown, ...forOtherClients, ...inForms]
  expect(all.toSorted()).toEqual(Object.keys(updateSettings.params).toSorted())
})

test.each([
  ['#settings/appearance', appearance],
  ['#settings/notifications', notifications],
  ['#settings/preferences', preferences],
  ['#settings/privacy', privacy],
])('each setting of %s is saved, and shown in another tab immediately', async (address, screen) => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const first = await browser.open(org, ana, address)
  const second = await openPage(first.context, first.url + address)
  const read = ({ user_settings }: Record<string, unknown>) => user_settings as Record<string, unknown>
  await walkScreen({ address, screen, user: ana, first, second, read })
  expect([...first.problems, ...second.problems]).toEqual([])
})

test('settings are found by their names, and opened with the keyboard alone', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const { page, url, problems } = await browser.open(org, ana, '#recent')
  await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
  await page.evaluate("location.hash = '#settings'")
  const find = page.getByRole('searchbox', { name: 'Find a setting' })
  await find.focus()
  await page.keyboard.type('font')
  await page.getByRole('link', { name: 'Font size' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate("document.activeElement.closest('[data-key]')?.dataset.key"))
    .toBe('web_font_size_px')
  expect(page.url()).toBe(`${url}#settings/appearance/web_font_size_px`)
  // From the setting to the search, then to the list, and from there to the view before the settings.
  await page.keyboard.press('Escape')
  await expect
    .poll(() => page.evaluate("document.activeElement.closest('nav')?.ariaLabel"))
    .toBe('Sections of the settings')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Appearance')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
  expect(problems).toEqual([])
})
