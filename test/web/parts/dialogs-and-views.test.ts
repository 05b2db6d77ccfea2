import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type WebUser, webBrowser } from '../../browser/chromium.ts'
import type { Organization } from '../../organization.ts'
import { sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { threePeople, twoPeople } from '../two-people.ts'

// What lies over a view concerns that view: another one closes it, but not what was typed.

const { organization } = sharedServer()
const browser = webBrowser()

async function openTopicAfterInbox() {
  const made = await twoPeople(organization)
  await made.say('Dark theme', 'Which gray is it?')
  await made.say('Dark theme', 'The light one')
  return openAfterInbox(made, made.topic('Dark theme'))
}

async function openSettingsAfterInbox() {
  const made = await threePeople(organization)
  return openAfterInbox(made, `#channels/${made.channel.id}/general`)
}

async function openAfterInbox(made: { org: Organization; ana: WebUser }, hash: string) {
  const { page } = await browser.open(made.org, made.ana, '#inbox')
  await goTo(page, hash)
  return { page, question: page.getByRole('dialog', { name: 'Discard changes' }) }
}

const hashNow = (page: Page) => new URL(page.url()).hash
const goTo = (page: Page, hash: string) => page.evaluate(`location.hash = '${hash}'`)
const waitForInbox = (page: Page) => page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()

const overMessage: [string, string, (page: Page) => Promise<void>][] = [
  [
    'dialog',
    'Remind me',
    async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: /^Remind me/ }).click()
    },
  ],
  ['menu', 'More actions', (page) => page.getByRole('button', { name: 'More actions' }).click()],
  ['dialog', 'Emoji', (page) => page.getByRole('button', { name: 'Add a reaction' }).click()],
]

test.each(overMessage)('another view closes a %s: %s', async (role, name, open) => {
  const { page } = await openTopicAfterInbox()
  await page.locator('article', { hasText: 'Which gray' }).hover()
  await open(page)
  const overlay = page.getByRole(role as 'dialog', { name })
  await overlay.waitFor()
  await page.goBack()
  await waitForInbox(page)
  await overlay.waitFor({ state: 'detached' })
})

test('a dialog that is still being loaded does not open over another view', async () => {
  const { page } = await openAfterInbox(await twoPeople(organization), '#channels')
  const button = page.getByRole('button', { name: 'New channel', exact: true })
  // The view itself has a part of that name.
  await button.waitFor()
  const code = await holdRequests(page, '**/assets/new-channel-*.js')
  await button.click()
  await expect.poll(code.count).toBe(1)
  await page.goBack()
  await waitForInbox(page)
  const loaded = page.waitForResponse('**/assets/new-channel-*.js')
  code.pass()
  await loaded
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Your status' }).click()
  await page.getByRole('dialog', { name: 'Your status' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(1)
})

test('going back in the browser keeps a text that was typed in a dialog, unless the user discards it', async () => {
  const { page, question } = await openAfterInbox(await twoPeople(organization), '#channels')
  await page.getByRole('button', { name: 'New channel', exact: true }).click()
  const field = page.getByRole('dialog', { name: 'New channel' }).getByLabel('Name', { exact: true })
  await field.fill('colors')
  await page.goBack()
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('colors')
  expect(hashNow(page)).toBe('#channels')
  await goTo(page, '#inbox')
  await question.getByRole('button', { name: 'Discard' }).click()
  await waitForInbox(page)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('settings of a channel that the address names ask once before they discard a text', async () => {
  const { page, question } = await openSettingsAfterInbox()
  const dialog = page.getByRole('dialog', { name: /^Settings of/ })
  await dialog.getByRole('textbox', { name: 'Description' }).fill('All about color')
  await page.goBack()
  await question.getByRole('button', { name: 'Discard' }).click()
  await waitForInbox(page)
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('closing the settings of a channel leaves no way back to them', async () => {
  const { page } = await openSettingsAfterInbox()
  const dialog = page.getByRole('dialog', { name: /^Settings of/ })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(hashNow(page)).toBe('#channels')
  await page.goBack()
  await waitForInbox(page)
})

/** Presses the button for a reaction, whose picker waits to be loaded until `pass` is called. */
async function pressForPicker() {
  const { page } = await openTopicAfterInbox()
  const code = await holdRequests(page, '**/assets/picker-*.js')
  const row = page.locator('article', { hasText: 'Which gray' })
  await row.hover()
  const button = row.getByRole('button', { name: 'Add a reaction' })
  const at = (await button.boundingBox())!
  await button.click()
  await expect.poll(code.count).toBe(1)
  return { page, button, at, pass: code.pass, picker: page.getByRole('dialog', { name: 'Emoji' }) }
}

test('an emoji picker that loads slowly opens where the button was pressed', async () => {
  const { page, button, at, pass, picker } = await pressForPicker()
  // The buttons of a message go with the pointer and the focus.
  await page.getByRole('heading', { level: 1, name: /Dark theme/ }).click()
  await button.waitFor({ state: 'detached' })
  pass()
  await picker.getByRole('option').first().waitFor()
  const shown = (await picker.boundingBox())!
  expect(shown.x + shown.width).toBeCloseTo(at.x + at.width, -1)
  expect(
    Math.min(Math.abs(shown.y - at.y - at.height), Math.abs(shown.y + shown.height - at.y)),
  ).toBeLessThan(10)
})

test('an emoji picker that loads slowly does not interrupt a user who has begun to write', async () => {
  const { page, pass, picker } = await pressForPicker()
  const box = page.getByRole('textbox', { name: /Dark theme/ })
  await box.fill('The light')
  pass()
  await box.pressSequentially(' one')
  expect(await box.inputValue()).toBe('The light one')
  expect(await picker.count()).toBe(0)
})
