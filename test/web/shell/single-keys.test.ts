import { expect, test } from 'vitest'
import { isSingleKey } from '../../../web/lib/keys.ts'
import { openPage, webBrowser, webUser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('shortcuts of single keys are turned off and on again, in all tabs of the browser', async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  await sender(bo, channel)('One', 'Hello')
  const { page, context, url } = await browser.open(org, ana, '#inbox')
  const second = await openPage(context, `${url}#inbox`)
  await page.bringToFront()
  await page.keyboard.press('?')
  await page.getByRole('checkbox', { name: 'Use single-key shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await page.keyboard.press('Shift+I')
  // Shortcuts with a modifier still work; by now, an effect of the keys before would have shown.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  expect(page.url()).toContain('#inbox')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox').waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate<string>('document.activeElement.tagName')).toBe('A')
  await second.page.bringToFront()
  await second.page.keyboard.press('t')
  await second.page.getByRole('button', { name: 'Account' }).click()
  await second.page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  expect(second.page.url()).toContain('#inbox')
  await second.page.getByRole('checkbox', { name: 'Use single-key shortcuts' }).check()
  await second.page.keyboard.press('Escape')
  await second.page.getByRole('dialog').waitFor({ state: 'detached' })
  await second.page.keyboard.press('t')
  await second.page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
})

test.each([
  ['q', 'jump', 'dialog [role=combobox]:focus'],
  ['x', 'begin', '.begin-box :focus'],
])('keys after %s call no shortcut while what it opens is being loaded', async (key, part, opened) => {
  const org = await organization()
  const { page } = await browser.open(org, await webUser(org, 'Ana Ruiz'), '#inbox')
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  await page.route(`**/assets/${part}-*.js`, async (route) => {
    await held
    await route.continue()
  })
  const [asked] = await Promise.all([page.waitForRequest(`**/assets/${part}-*.js`), page.keyboard.press(key)])
  await page.keyboard.type('tad')
  goOn()
  await (await asked.response())?.finished()
  await page.locator(opened).waitFor()
  expect(page.url()).toContain('#inbox')
})

test.each([
  ['the picker of emoji', 'picker', 'Add a reaction'],
  ['the box to edit', 'edit-box', 'Edit'],
])('keys work, and the message is there, after %s could not be loaded', async (_, part, button) => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const channel = await org.channel({ subscribers: [ana] })
  await sender(ana, channel)('Icons', 'Are they ready?')
  const { page } = await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/Icons`)
  await page.route(`**/assets/${part}-*.js`, (route) => route.abort())
  const failure = page.locator('.notice.failure')
  for (let i = 0; i < 2; i++) {
    await page.locator('article').hover()
    await page.getByRole('button', { name: button }).click()
    await failure.getByRole('button', { name: 'Close the notice' }).click()
    await failure.waitFor({ state: 'detached' })
  }
  await page.getByText('Are they ready?').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('t')
  await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
})

test.each([
  ['j', true],
  ['Shift+J', true],
  ['?', true],
  ['+', true],
  ['Ctrl+k', false],
  ['ArrowDown', false],
  ['Space', false],
  ['Escape', false],
])('%s is a single key: %s', (stroke, expected) => {
  expect(isSingleKey(stroke)).toBe(expected)
})
