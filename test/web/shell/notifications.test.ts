import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, webBrowser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

// The browser of the tests has no desktop, so the page notes what it would show there.
const noting = `window.noted = []
window.Notification = class extends EventTarget {
  static permission = 'granted'
  constructor(title, { body, tag }) {
    super()
    this.note = { title, body, tag, isClosed: false }
    window.noted.push(this.note)
  }
  close() { this.note.isClosed = true }
}`

type Note = { title: string; body: string; tag: string; isClosed: boolean }

const noted = (page: Page) => page.evaluate<Note[]>('window.noted')

/** The client is open in two tabs; returns their notifications. */
async function twoTabs() {
  const made = await twoPeople(organization)
  const { page, context, url } = await browser.open(made.org, made.ana)
  await context.addInitScript(noting)
  await page.reload()
  const other = await openPage(context, url)
  for (const one of [page, other.page]) await one.getByRole('heading', { name: 'Inbox' }).waitFor()
  const all = async () => [...(await noted(page)), ...(await noted(other.page))]
  return { ...made, all }
}

test('one tab announces a direct message, once, until it was read elsewhere', async () => {
  const { ana, bo, channel, all } = await twoTabs()
  await sender(bo, channel)('Dark theme', 'not for anyone in particular')
  const id = await direct(bo, [ana], 'Are you **there**?')
  await expect.poll(all).toMatchObject([{ title: 'Bo Lind', body: 'Are you there?', isClosed: false }])
  await ana.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await expect.poll(all).toMatchObject([{ title: 'Bo Lind', isClosed: true }])
})

test('a notification goes when the message is deleted whose text it has', async () => {
  const { ana, bo, all } = await twoTabs()
  const [first, slip] = [await direct(bo, [ana], 'Hello'), await direct(bo, [ana], 'A slip')]
  await expect.poll(async () => (await all()).map(({ body }) => body)).toEqual(['Hello', 'A slip'])
  await bo.delete(`/messages/${slip}`)
  await expect.poll(all).toMatchObject([{}, { body: 'A slip', isClosed: true }])
  const again = await direct(bo, [ana], 'Are you there?')
  await bo.delete(`/messages/${first}`)
  await ana.post('/messages/flags', { messages: [again], op: 'add', flag: 'read' })
  await expect.poll(all).toMatchObject([{}, {}, { body: 'Are you there?', isClosed: true }])
})

test('a notification has the new text of a message that is edited', async () => {
  const { ana, bo, all } = await twoTabs()
  const id = await direct(bo, [ana], 'The key is 1234')
  await expect.poll(all).toMatchObject([{ body: 'The key is 1234' }])
  await bo.patch(`/messages/${id}`, { content: 'The key is in the safe' })
  await expect.poll(all).toMatchObject([{}, { title: 'Bo Lind', body: 'The key is in the safe' }])
  const [before, after] = await all()
  expect(after!.tag).toBe(before!.tag)
})

test('a notification of a direct message has no text if the user does not want it', async () => {
  const { ana, bo, channel, all } = await twoTabs()
  await ana.patch('/settings', { pm_content_in_desktop_notifications: false })
  const id = await direct(bo, [ana], 'The key is 1234')
  await expect.poll(all).toMatchObject([{ title: 'Bo Lind', body: '' }])
  await bo.patch(`/messages/${id}`, { content: 'The key is 5678' })
  await sender(bo, channel)('Icons', 'Look, @**Ana Ruiz**')
  await expect.poll(all).toMatchObject([{ body: '' }, { body: 'Look, @Ana Ruiz' }])
})
