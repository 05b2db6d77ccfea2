import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('the jump finds views and settings, and a section that opens takes the focus', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const { page, problems } = await browser.open(org, ana)
  const openJump = async () => {
    await page.keyboard.press('Control+k')
    await page.locator('[role=combobox]:focus').waitFor()
  }
  const jumpTo = async (words: string, name: string) => {
    await openJump()
    await page.keyboard.type(words)
    await page.locator('[role=option][aria-selected=true]', { hasText: name }).waitFor()
    await page.keyboard.press('Enter')
  }
  const focused = (selector: string) => page.locator(`${selector}:focus`).waitFor({ state: 'attached' })
  await jumpTo('alert wo', 'Alert words')
  await page.getByRole('heading', { level: 2, name: 'Alert words' }).waitFor()
  await focused('.settings-content h2')
  await jumpTo('enter sends', 'Enter sends a message')
  await focused('[data-key=enter_sends] input')
  await jumpTo('new chan', 'New channel')
  await page.getByRole('dialog', { name: 'New channel' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The sign of channels looks for channels alone.
  await openJump()
  await page.keyboard.type('#alert')
  await page.getByText('No results').waitFor()
  await page.keyboard.press('Escape')
  expect(problems).toEqual([])
})

test('a section that is opened from the list or found takes the focus, and is shown in the list', async () => {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  const { page, problems } = await browser.open(org, ana, '#organization/audit-log')
  const current = page.locator('.section-list [aria-current]')
  const headingOf = async (name: string) => {
    await page.getByRole('heading', { level: 2, name }).waitFor()
    await page.locator('.settings-content h2:focus', { hasText: name }).waitFor()
  }
  await headingOf(await page.locator('.settings-content h2').innerText())
  await page.goto(page.url().replace(/#.*/, '#organization/linkifiers'))
  await headingOf('Linkifiers')
  const bottom = () => current.boundingBox().then((box) => box!.y + box!.height)
  await expect.poll(bottom).toBeLessThanOrEqual(800)
  await current.focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await headingOf('Custom emoji')
  await page.locator('.section-list input').focus()
  await page.keyboard.type('snipp')
  await page.locator('.found-setting', { hasText: 'Snippets' }).waitFor()
  await page.keyboard.press('Enter')
  await headingOf('Snippets')
  await page.getByRole('button', { name: 'Account', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Settings' }).focus()
  await page.keyboard.press('Enter')
  await headingOf('Profile')
  expect(problems).toEqual([])
})
