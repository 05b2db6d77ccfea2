import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownerOf, webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

// What the user has typed in a dialog is not lost by a key or a click beside it.

const { organization } = sharedServer()
const browser = webBrowser()

const nameOf = (page: Page, dialog: string) =>
  page.getByRole('dialog', { name: dialog }).getByLabel('Name', { exact: true })

/** Types into the field of a dialog that is new. */
const dialogs: [string, string, (page: Page) => Promise<void>][] = [
  ['#channels', 'New channel', (page) => nameOf(page, 'New channel').fill('colors')],
  ['#groups', 'New group', (page) => nameOf(page, 'New group').fill('painters')],
  [
    '#channels',
    'New channel',
    async (page) => {
      await page.getByRole('combobox', { name: 'Add to: Subscribers' }).fill('bo')
      await page.getByRole('option', { name: /Bo Lind/ }).click()
    },
  ],
]

async function openDialog(hash: string, name: string) {
  const made = await twoPeople(organization)
  const { page } = await browser.open(made.org, made.ana, hash)
  const open = async () => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog', { name }).waitFor()
  }
  await open()
  const question = page.getByRole('dialog', { name: 'Discard changes' })
  return { ...made, page, open, question, dialog: page.getByRole('dialog', { name }) }
}

const clickBeside = (page: Page) => page.mouse.click(5, 5)

test.each(dialogs)(
  'a dialog discards typed or chosen values only after a question: in %s, %s',
  async (hash, name, type) => {
    const { page, dialog, question } = await openDialog(hash, name)
    await type(page)
    await clickBeside(page)
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
    ]) {
      await leave()
      await question.waitFor()
      await page.keyboard.press('Escape')
      await question.waitFor({ state: 'detached' })
      await dialog.waitFor()
    }
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('dialog').count()).toBe(0)
  },
)

test('a dialog in which nothing was typed, or no longer, closes immediately', async () => {
  const { page, dialog, open, question } = await openDialog('#channels', 'New channel')
  const closes = async (leave: () => Promise<void>) => {
    await leave()
    await dialog.waitFor({ state: 'detached' })
    expect(await question.count()).toBe(0)
    await open()
  }
  await closes(() => clickBeside(page))
  await closes(() => page.keyboard.press('Escape'))
  await nameOf(page, 'New channel').fill('colors')
  await nameOf(page, 'New channel').fill('')
  await closes(() => page.keyboard.press('Escape'))
  await nameOf(page, 'New channel').fill('colors')
  await closes(() => dialog.getByRole('button', { name: 'Cancel' }).click())
})

test('Escape that is pressed again and again while a question comes asks once', async () => {
  const { page, dialog, question } = await openDialog('#channels', 'New channel')
  await nameOf(page, 'New channel').fill('colors')
  await page.evaluate(`for (let i = 0; i < 3; i++)
    document.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))`)
  await question.waitFor()
  expect(await page.getByRole('dialog').count()).toBe(2)
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await page.getByRole('dialog').count()).toBe(1)
  expect(await nameOf(page, 'New channel').inputValue()).toBe('colors')
  await dialog.waitFor()
})

test('a time that was chosen for a reminder is discarded after a question, whose texts have yet to be loaded', async () => {
  const { org, ana, topic, say } = await twoPeople(organization)
  await say('Icons', 'Too round')
  const { page } = await browser.open(org, ana, topic('Icons'))
  const row = page.locator('article', { hasText: 'Too round' })
  await row.hover()
  await row.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: /^Remind me/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Remind me' })
  await dialog.getByLabel('Or choose another time').fill('2031-12-24T18:00')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Discard changes' }).getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('a day to go to is given up without a question', async () => {
  const { org, ana, topic, say } = await twoPeople(organization)
  await say('Icons', 'Too round')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await page.getByRole('button', { name: 'Topic actions' }).click()
  await page.getByRole('menuitem', { name: 'Go to a date' }).click()
  const dialog = page.getByRole('dialog', { name: 'Go to a date' })
  await dialog.getByLabel('Day').fill('2026-11-01')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('an emoji alone that was chosen for a status is discarded after a question', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, '#inbox')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: /status/i }).click()
  const dialog = page.getByRole('dialog', { name: 'Your status' })
  await dialog.getByRole('button', { name: 'Choose an emoji' }).click()
  const picker = page.getByRole('dialog', { name: 'Emoji' })
  await picker.getByRole('combobox').fill('tada')
  await picker.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await picker.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard changes' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await ana.get(`/users/${ana.id}/status`)).body.status.emoji_name).toBe('tada')
})

test('the question before a user is deactivated closes immediately, unless a comment was typed', async () => {
  const { org, bo } = await twoPeople(organization)
  const { page } = await browser.open(org, await ownerOf(org), `#user/${bo.id}`)
  const dialog = page.getByRole('dialog', { name: 'Deactivate Bo Lind' })
  const open = async () => {
    await page.getByRole('button', { name: /Deactivate/ }).click()
    await dialog.getByRole('checkbox', { name: 'Tell them by email' }).check()
  }
  await open()
  await dialog.getByLabel('Comment for the email').fill('Thank you for everything')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard changes' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByLabel('Comment for the email').fill('')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await question.count()).toBe(0)
})

test('a picture that is not chosen after all leaves the dialog open', async () => {
  const { org } = await twoPeople(organization)
  const { page } = await browser.open(org, await ownerOf(org), '#organization/emoji')
  await page.getByRole('button', { name: 'Add emoji' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add emoji' })
  await dialog.getByLabel('Name').fill('palette')
  // The browser says so when the user closes its window for files.
  await dialog
    .locator('input[type=file]')
    .evaluate((field) => field.dispatchEvent(new Event('cancel', { bubbles: true })))
  await page.waitForTimeout(100)
  expect(await dialog.getByLabel('Name').inputValue()).toBe('palette')
  expect(await page.getByRole('dialog').count()).toBe(1)
})

test('Escape closes the upper one of two dialogs, however long its code was on its way', async () => {
  const { org, channel } = await twoPeople(organization)
  const { page } = await browser.open(org, await ownerOf(org), `#narrow/channel/${channel.id}-design`)
  const code = await holdRequests(page, '**/assets/deactivate-*.js')
  await page.getByRole('button', { name: 'Channel actions' }).click()
  await page.getByRole('menuitem', { name: 'Members' }).click()
  const people = page.getByRole('dialog')
  await people.getByRole('button', { name: /Bo Lind/ }).click()
  await page.getByRole('button', { name: /Deactivate/ }).click()
  await expect.poll(code.count).toBe(1)
  await page.waitForTimeout(6000)
  code.pass()
  const upper = page.getByRole('dialog', { name: /Deactivate/ })
  await upper.waitFor()
  await page.keyboard.press('Escape')
  await upper.waitFor({ state: 'detached' })
  await people.getByRole('button', { name: /Bo Lind/ }).waitFor()
  await page.keyboard.press('Escape')
  await people.waitFor({ state: 'detached' })
})
