import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { messageIn, sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

async function scene() {
  const { topic, ...all } = await twoPeople(organization)
  const id = await sender(all.ana, all.channel)('Dark theme', 'Which grey is it?')
  return { ...all, id, topic: topic('Dark theme') }
}

async function openTopic() {
  const all = await scene()
  const { page } = await browser.open(all.org, all.ana, all.topic)
  return { ...all, page, box: page.getByRole('textbox', { name: /Dark theme/ }) }
}

/** Opens the menu of the message, and chooses an entry of it by the keyboard. */
async function choose(page: Page, entry: RegExp) {
  const row = page.locator('article', { hasText: 'Which grey' })
  await row.hover()
  await row.getByRole('button', { name: 'More actions' }).click()
  const item = page.getByRole('menuitem', { name: entry })
  await item.focus()
  await item.press('Enter')
}

/** Waits until the focus is on such an element. */
const hasFocus = (page: Page, selector: string) =>
  page.locator(selector).and(page.locator(':focus')).waitFor({ state: 'attached' })

test('a dialog says itself why something failed, and sends once however often one presses', async () => {
  const { page, ana, id } = await openTopic()
  const requests = await holdRequests(page, '**/json/reminders')
  await choose(page, /^Remind me/)
  const dialog = page.getByRole('dialog', { name: 'Remind me' })
  const tomorrow = dialog.getByRole('button', { name: /^Tomorrow morning/ })
  await tomorrow.dblclick()
  await expect.poll(requests.count).toBe(1)
  requests.refuse()
  await dialog.getByRole('alert').getByText('Enough for a day').waitFor()
  await hasFocus(page, '.moments button')
  await tomorrow.dblclick()
  await expect.poll(requests.count).toBe(1)
  requests.pass()
  await dialog.waitFor({ state: 'detached' })
  expect((await ana.get('/reminders')).body.reminders).toMatchObject([{ reminder_target_message_id: id }])
})

test('a dialog that was closed during its request leaves the focus alone, and tells of a failure', async () => {
  const { page, box } = await openTopic()
  const requests = await holdRequests(page, '**/json/reminders')
  const closeMeanwhile = async () => {
    await choose(page, /^Remind me/)
    const dialog = page.getByRole('dialog', { name: 'Remind me' })
    await dialog.getByRole('button', { name: /^Tomorrow morning/ }).click()
    await expect.poll(requests.count).toBe(1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await box.click()
  }
  await closeMeanwhile()
  requests.pass()
  await page.getByText('Reminder set for').waitFor()
  await hasFocus(page, '.composer textarea')
  await closeMeanwhile()
  requests.refuse()
  await page.getByText('That did not work: Enough for a day').waitFor()
  await hasFocus(page, '.composer textarea')
})

test('a group that was made after its dialog was closed does not lead there', async () => {
  const { org, ana } = await scene()
  const { page } = await browser.open(org, ana, '#groups')
  const requests = await holdRequests(page, '**/json/user_groups/create')
  await page.getByRole('button', { name: 'New group' }).click()
  const dialog = page.getByRole('dialog', { name: 'New group' })
  await dialog.getByLabel('Name', { exact: true }).fill('painters')
  await page.keyboard.press('Enter')
  await expect.poll(requests.count).toBe(1)
  await page.keyboard.press('Escape')
  requests.pass()
  await page.getByRole('link', { name: /painters/ }).waitFor()
  expect(new URL(page.url()).hash).toBe('#groups')
})

test('Enter that is held too long answers no to a question, and the focus returns', async () => {
  const { page, ana, id } = await openTopic()
  await choose(page, /^Delete/)
  const question = page.getByRole('dialog', { name: 'Delete' })
  await question.waitFor()
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'detached' })
  // The tools of the row stay while the browser takes the pointer to be there.
  await hasFocus(page, 'article, article *')
  expect((await messageIn(ana, id)).content).toContain('Which grey')
})

const windows = { ...viewports, low: { width: 1024, height: 400 } }
const sizes = ['wide', 'phone', 'low'] as const

test.each(sizes)(
  'a notice can be used while a dialog is open, and hides nothing of it (%s)',
  async (size) => {
    const { org, channel, bo } = await scene()
    const owner = await webUser(org, 'Cy Okafor')
    await org.owner.patch(`/users/${owner.id}`, { role: 100 })
    const viewport = windows[size]
    const { page } = await browser.open(org, owner, `#channels/${channel.id}/subscribers`, { viewport })
    const dialog = page.getByRole('dialog', { name: /design/ })
    await dialog.getByRole('button', { name: 'Unsubscribe Bo Lind' }).click()
    await dialog.getByRole('button', { name: /^Bo Lind/ }).waitFor({ state: 'detached' })
    // The page may hear that he has gone before it has the answer, of which the notice tells.
    await dialog.locator('.notice').waitFor()
    const [notice, content] = await Promise.all(
      ['.notice', '.panel-inside'].map(async (place) => (await dialog.locator(place).boundingBox())!),
    )
    const [upper, lower] = size === 'phone' ? [notice!, content!] : [content!, notice!]
    expect(upper.y).toBeGreaterThanOrEqual(0)
    expect(upper.y + upper.height).toBeLessThanOrEqual(lower.y)
    expect(lower.y + lower.height).toBeLessThanOrEqual(viewport.height)
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await dialog.getByRole('button', { name: /^Bo Lind/ }).waitFor()
    const { subscriptions } = (await bo.register()).state
    expect(subscriptions.map(({ name }: { name: string }) => name)).toEqual(['design'])
  },
)

test.each([
  ['wide', viewports.wide],
  ['phone', { width: 390, height: 667 }],
  ['low', windows.low],
])('three notices leave the buttons of a dialog in sight (%s)', async (_, viewport) => {
  const { org, ana, channel } = await scene()
  const draft = { type: 'stream', to: [channel.id], content: 'Half a thought', timestamp: 1 }
  await ana.post('/drafts', { drafts: ['One', 'Two', 'Three'].map((topic) => ({ ...draft, topic })) })
  const { page, url } = await browser.open(org, ana, '#drafts', { viewport })
  for (const topic of ['One', 'Two', 'Three']) {
    await page.getByRole('button', { name: new RegExp(`^Delete: .*${topic}`) }).click()
  }
  await page.goto(`${url}#channels/new`)
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await expect.poll(() => dialog.locator('.notice').count()).toBe(3)
  for (const name of ['Create', 'Cancel', 'Close'])
    await expectInSight(dialog.locator('.panel-inside').getByRole('button', { name, exact: true }))
})

/** Expects that all of an element can be seen. */
async function expectInSight(element: Locator) {
  const covered = await element.evaluate((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    const corners = [left + 3, right - 3].flatMap((x) => [top + 3, bottom - 3].map((y) => [x, y] as const))
    return corners.filter(([x, y]) => !one.contains(one.ownerDocument.elementFromPoint(x, y)))
  })
  expect(covered).toEqual([])
}

test('the focus stays on a button that sends, and goes to the neighbor of a row that it removes', async () => {
  const { org, ana } = await scene()
  const { page } = await browser.open(org, ana, '#settings/alert-words')
  const add = page.getByRole('button', { name: 'Add', exact: true })
  for (const word of ['moss', 'slate', 'teal']) {
    await page.getByLabel('New word').fill(word)
    await add.focus()
    await add.press('Enter')
    await page.getByRole('button', { name: `Remove the word: ${word}` }).waitFor()
    await add.and(page.locator(':focus')).waitFor()
  }
  await page.getByRole('button', { name: 'Remove the word: slate' }).press('Enter')
  await hasFocus(page, '[aria-label="Remove the word: teal"]')
  await page.keyboard.press('Enter')
  await hasFocus(page, '[aria-label="Remove the word: moss"]')
  await page.keyboard.press('Enter')
  await page.getByText('You have no alert words.').waitFor()
  await hasFocus(page, 'main')
})

test('on a phone, the list of views takes the focus, and gives way to the view and to dialogs', async () => {
  const { org, ana, topic } = await scene()
  const { page } = await browser.open(org, ana, topic, { viewport: viewports.phone })
  const opener = page.getByRole('button', { name: 'Open the list of views and channels' })
  const rail = page.locator('.rail')
  expect(await opener.getAttribute('aria-expanded')).toBe('false')
  await opener.press('Enter')
  expect(await opener.getAttribute('aria-expanded')).toBe('true')
  await hasFocus(page, '.rail *')
  await page.keyboard.press('Escape')
  await rail.waitFor({ state: 'hidden' })
  await hasFocus(page, '.rail-opener')
  await opener.press('Enter')
  await rail.locator('a[aria-current]').click()
  await rail.waitFor({ state: 'hidden' })
  await opener.press('Enter')
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Your status' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your status' })
  await dialog.waitFor()
  await rail.waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await hasFocus(page, 'main, main *')
})
