import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { ownerOf, webBrowser } from '../../browser/chromium.ts'
import { contentsOf } from '../../messages.ts'
import { png } from '../../pictures.ts'
import { sharedServer } from '../../test-server.ts'
import { loseAnswer } from '../lose-answer.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const unreachable = /cannot be reached/

/** Ana has a message that goes out tomorrow, and looks at what she has not sent. */
async function scheduled() {
  const made = await twoPeople(organization)
  const at = Math.floor(Date.now() / 1000) + 86_400
  const message = { type: 'channel', to: made.channel.id, topic: 'Icons', content: 'Good morning' }
  await made.ana.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp: at })
  const opened = await browser.open(made.org, made.ana, '#drafts')
  await loseAnswer(opened.page, 'DELETE', /\/scheduled_messages\/\d+$/)
  const left = async () => (await made.ana.get('/scheduled_messages')).body.scheduled_messages
  return { ...made, ...opened, left }
}

test('a scheduled message is written on although the answer was lost that it is canceled', async () => {
  const { page, left } = await scheduled()
  await page.getByRole('button', { name: /^Continue writing: #design/ }).click()
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('Good morning')
  expect(await left()).toEqual([])
})

test('a scheduled message is sent now although the answer was lost that it is canceled', async () => {
  const { page, ana, channel, left } = await scheduled()
  await page.getByRole('button', { name: /^Send now: #design/ }).click()
  await expect.poll(() => contentsOf(ana, channel)).toEqual([['Icons', 'Good morning']])
  expect(await left()).toEqual([])
})

test('an archive of the own data whose answer was lost is made once when the user tries again', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, '#settings/export')
  await loseAnswer(page, 'POST', /\/own_exports$/)
  const button = page.getByRole('button', { name: 'Create an archive' })
  await button.click()
  await page.getByRole('alert').getByText(unreachable).waitFor()
  await button.click()
  await page.getByRole('alert').getByText(unreachable).waitFor({ state: 'detached' })
  await page.locator('tbody tr').first().waitFor()
  expect((await ana.get('/rookery/own_exports')).body.exports).toHaveLength(1)
})

test('a report whose answer was lost reaches the moderators once when the user tries again', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  const moderators = await org.channel({ name: 'moderators', subscribers: [org.owner], isPrivate: true })
  await org.owner.patch('/realm', { moderation_request_channel_id: moderators.id })
  await say('Icons', 'Buy my icons')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await loseAnswer(page, 'POST', /\/report$/)
  await page.locator('article', { hasText: 'Buy my icons' }).hover()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: /^Report/ }).click()
  const dialog = page.getByRole('dialog')
  const submit = dialog.locator('button[type=submit]')
  await submit.click()
  await dialog.getByText(unreachable).waitFor()
  await submit.click()
  await dialog.waitFor({ state: 'detached' })
  expect(await contentsOf(org.owner, moderators)).toHaveLength(1)
})

/** Fills the fields of a dialog, by their labels. */
const fill = (texts: Record<string, string>) => async (dialog: Locator) => {
  for (const [label, text] of Object.entries(texts))
    await dialog.getByLabel(label, { exact: true }).fill(text)
}

test.each<[string, string, RegExp, (dialog: Locator) => Promise<unknown>, string]>([
  ['#channels', 'New channel', /\/subscriptions$/, fill({ Name: 'colors' }), 'colors'],
  ['#organization/folders', 'New folder', /\/create$/, fill({ Name: 'colors' }), 'colors'],
  ['#organization/channels', 'New group', /\/create$/, fill({ Name: 'colors' }), 'colors'],
  ['#organization/profile-fields', 'New field', /\/profile_fields$/, fill({ Name: 'Color' }), 'Color'],
  [
    '#organization/linkifiers',
    'New linkifier',
    /\/filters$/,
    fill({
      'Pattern, a regular expression with named groups': '#(?P<id>[0-9]+)',
      'URL template': 'https://example.com/{id}',
    }),
    '#(?P<id>[0-9]+)',
  ],
  [
    '#organization/playgrounds',
    'New playground',
    /\/playgrounds$/,
    fill({
      Name: 'Try it',
      Language: 'Python',
      'URL template, in which code stands in braces': 'https://example.com/{code}',
    }),
    'Try it',
  ],
  ['#organization/joining', 'Add a domain', /\/domains$/, fill({ Domain: 'example.org' }), 'example.org'],
  [
    '#organization/users',
    'Create user',
    /\/users$/,
    fill({ Name: 'Di Reyes', Email: 'di@example.com', Password: 'a long enough password' }),
    'Di Reyes',
  ],
  [
    '#organization/emoji',
    'Add emoji',
    /\/emoji\/colors$/,
    async (dialog) => {
      const buffer = await png()
      await dialog.getByLabel('Picture').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
      await dialog.getByLabel('Name', { exact: true }).fill('colors')
    },
    'colors',
  ],
])(
  'what is created in %s is created once when its answer is lost: %s',
  async (hash, opener, path, type, name) => {
    const { org } = await twoPeople(organization)
    await org.log.commit((change) => change.update('account', { id: org.owner.id, can_create_users: true }))
    const { page } = await browser.open(org, await ownerOf(org), hash)
    await page.getByRole('button', { name: opener, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await type(dialog)
    await loseAnswer(page, 'POST', path)
    const submit = dialog.locator('button[type=submit]')
    await submit.click()
    await dialog.getByText(unreachable).waitFor()
    // The event of the first one may come before the second try.
    await page.locator('main').getByText(name).first().waitFor({ state: 'attached' })
    await submit.click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('main').getByText(name).first().waitFor()
  },
)
