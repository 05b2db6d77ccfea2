import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, webBrowser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

// The page counts the notes that begin and end; the sounds themselves are real.
const counting = `window.notes = { begun: 0, ended: 0 }
const { start } = AudioScheduledSourceNode.prototype
AudioScheduledSourceNode.prototype.start = function (...when) {
  window.notes.begun += 1
  this.addEventListener('ended', () => { window.notes.ended += 1 })
  return start.apply(this, when)
}`

type Notes = { begun: number; ended: number }

const notesOf = (page: Page) => page.evaluate<Notes>('window.notes')

/** Waits until as many notes as this were played to their end, and no more began. */
async function heard(page: Page, count: number) {
  await expect.poll(() => notesOf(page)).toEqual({ begun: count, ended: count })
}

/** Waits until a tab of this browser announces messages. */
async function announces(page: Page) {
  const leads = `navigator.locks.query().then(({ held }) => held.some(({ name }) => name === 'rookery-notifications'))`
  await expect.poll(() => page.evaluate(leads)).toBe(true)
}

async function scene() {
  const { org, ana, bo, channel } = await twoPeople(organization)
  const { page, context, url, problems } = await browser.open(org, ana)
  await context.addInitScript(counting)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  return { ana, bo, channel, page, context, url, problems }
}

test('one tab plays the chosen sound for messages that call for the user, after their first click', async () => {
  const { ana, bo, channel, page, context, url, problems } = await scene()
  const { page: other } = await openPage(context, url)
  await other.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  await direct(bo, [ana], 'before the first click')
  await page.getByText('before the first click').waitFor()
  expect(await notesOf(page)).toEqual({ begun: 0, ended: 0 })
  await page.getByRole('heading', { level: 1, name: 'Inbox' }).click()
  await announces(page)
  await other.getByRole('heading', { level: 1, name: 'Inbox' }).click()

  // The usual sound has two notes.
  await direct(bo, [ana], 'one')
  await heard(page, 2)
  await ana.patch('/settings', { notification_sound: 'none' })
  await direct(bo, [ana], 'in silence')
  await ana.patch('/settings', { notification_sound: 'chime' })
  await sender(bo, channel)('Dark theme', 'not for anyone in particular')
  await direct(ana, [bo], 'of their own')
  await direct(bo, [ana], 'two')
  await heard(page, 5)
  await ana.patch('/settings', { enable_stream_audible_notifications: true })
  await sender(bo, channel)('Dark theme', 'for all')
  await heard(page, 8)
  expect(await notesOf(other)).toEqual({ begun: 0, ended: 0 })
  expect(problems).toEqual([])
})

test('a conversation that is looked at makes no sound', async () => {
  const { ana, bo, channel, page, url, problems } = await scene()
  await ana.patch('/settings', { enable_stream_audible_notifications: true })
  const send = sender(bo, channel)
  await send('Dark theme', 'hello')
  await page.goto(`${url}#narrow/channel/${channel.id}/topic/Dark.20theme`)
  await page.getByText('hello').click()
  await announces(page)
  await send('Dark theme', 'looked at')
  await page.getByText('looked at').waitFor()
  await send('Icons', 'elsewhere')
  await heard(page, 2)
  expect(problems).toEqual([])
})

test('the settings play the sound that is chosen', async () => {
  const { page, url, problems } = await scene()
  await page.goto(`${url}#settings/notifications/notification_sound`)
  const choice = page.getByLabel('Sound of notifications', { exact: true })
  const play = page.getByRole('button', { name: 'Play', exact: true })
  await play.click()
  await heard(page, 2)
  await choice.selectOption({ label: 'Fast ascend' })
  await page.getByText('Saved').waitFor()
  await play.click()
  await heard(page, 7)
  await choice.selectOption({ label: 'No sound' })
  await expect.poll(() => play.isDisabled()).toBe(true)
  expect(problems).toEqual([])
})
