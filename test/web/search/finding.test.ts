import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { markedParts } from '../../../web/lib/marked-text.ts'
import { readDay } from '../../../web/lib/search.ts'
import { viewports, webBrowser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const day = 86_400

/** A topic with three messages a day over forty days, the last ones from today. */
async function scene() {
  const { org, ana, bo, channel } = await twoPeople(organization)
  const ids: number[] = []
  for (let i = 0; i < 120; i++) ids.push(await sender(bo, channel)('Plans', `Message ${i} end`))
  const noon = new Date()
  noon.setHours(12, 0, 0, 0)
  const sentAt = (i: number) => Math.floor(noon.getTime() / 1000) - (39 - Math.floor(i / 3)) * day
  await org.log.commit(async (change) => {
    // The messages that greeted the new users are older.
    for (let id = 1; id < (ids[0] ?? 0); id++) await change.update('message', { id, sent_at: sentAt(-30) })
    for (const [i, id] of ids.entries()) await change.update('message', { id, sent_at: sentAt(i) })
  })
  /** The local day of a message, as fields of dates have it. */
  const dayOf = (i: number) => {
    const date = new Date(sentAt(i) * 1000)
    return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-')
  }
  return { org, ana, bo, channel, dayOf, hash: `#narrow/channel/${channel.id}-design/topic/Plans` }
}

test.each(['wide', 'phone'] as const)('a topic is opened at a day, from its menu (%s)', async (size) => {
  const { org, ana, dayOf, hash } = await scene()
  const { page } = await browser.open(org, ana, hash, { viewport: viewports[size] })
  const goTo = async (date: string) => {
    await page.getByRole('button', { name: 'Topic actions' }).click()
    await page.getByRole('menuitem', { name: 'Go to a date' }).click()
    await page.getByLabel('Day').fill(date)
    await page.getByRole('button', { name: 'Go', exact: true }).click()
  }
  for (const i of [30, 90, 60]) {
    await goTo(dayOf(i + 1))
    const row = page.locator('[data-id].selected')
    await row.getByText(`Message ${i} end`).waitFor()
    await expect.poll(() => page.url()).toMatch(/near\/\d+$/)
  }
})

test('the search and the jump take a day', async () => {
  const { org, ana, bo, dayOf, hash } = await scene()
  const { page } = await browser.open(org, ana, hash)
  await page.getByText('Message 0 end').waitFor()
  await page.keyboard.press('/')
  const search = page.getByRole('combobox', { name: 'Search messages' })
  await search.fill(`date:${dayOf(45)}`)
  await page.getByRole('option', { name: /^Go to .*$/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-id].selected', { hasText: 'Message 45 end' }).waitFor()
  await page.keyboard.press('/')
  await search.fill(dayOf(60))
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.locator('[data-id].selected', { hasText: 'Message 60 end' }).waitFor()
  await page.keyboard.press('/')
  await search.fill(dayOf(60))
  await page.getByRole('option', { name: `Messages with “${dayOf(60)}”` }).click()
  await page.getByRole('heading', { level: 1, name: /^Search/ }).waitFor()
  await direct(bo, [ana], 'The newest of all')
  await page.goto(page.url().replace(/#.*/, '#inbox'))
  await page.locator('.inbox-row', { hasText: 'The newest of all' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(dayOf(75))
  await page.getByRole('option', { name: /^Go to .*/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('[data-id].selected', { hasText: 'Message 75 end' }).waitFor()
  expect(page.url()).toContain('#narrow/near/')
})

test.each(['the user has gone elsewhere', 'the dialog was closed'])(
  'a day that is found late is not opened when %s',
  async (reason) => {
    const { org, ana, dayOf, hash } = await scene()
    const { page } = await browser.open(org, ana, hash)
    await page.getByText('Message 0 end').waitFor()
    // The last request for a day of which the first message is the first of all.
    const last = /json\/messages\?.*anchor=newest&num_before=1&/
    const routes: Route[] = []
    await page.route(last, (route) => void routes.push(route), { times: 1 })
    await page.getByRole('button', { name: 'Topic actions' }).click()
    await page.getByRole('menuitem', { name: 'Go to a date' }).click()
    await page.getByLabel('Day').fill(dayOf(0))
    await page.getByRole('button', { name: 'Go', exact: true }).click()
    await page.locator('.notice', { hasText: 'Loading' }).waitFor()
    if (reason === 'the dialog was closed') await page.keyboard.press('Escape')
    else await page.evaluate("location.hash = '#inbox'")
    const before = page.url()
    const answered = page.waitForResponse(last)
    await expect.poll(() => routes.length).toBe(1)
    await routes[0]?.continue()
    await (await answered).finished()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.evaluate('new Promise(requestAnimationFrame)')
    expect(page.url()).toBe(before)
  },
)

test('a day after all messages says so', async () => {
  const { org, ana, bo } = await scene()
  const id = await direct(bo, [ana], 'Long ago')
  await org.log.commit(async (change) => {
    await change.update('message', { id, sent_at: 1_000_000_000 })
  })
  const { page } = await browser.open(org, ana, `#narrow/dm/${bo.id}-Bo`)
  await page.getByText('Long ago').waitFor()
  await page.getByRole('button', { name: 'Conversation actions' }).click()
  await page.getByRole('menuitem', { name: 'Go to a date' }).click()
  await page.getByLabel('Day').fill('2010-01-01')
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  await page.getByText('No messages since that day.').waitFor()
})

test('a link to another message of the view that is open leads there', async () => {
  const { org, ana, hash } = await scene()
  const { page } = await browser.open(org, ana, hash)
  await page.getByText('Message 0 end').waitFor()
  const id = await page.locator('[data-id]', { hasText: 'Message 20 end' }).getAttribute('data-id')
  await page.evaluate(`location.hash = '${hash}/near/${id}'`)
  await page.locator('[data-id].selected', { hasText: 'Message 20 end' }).waitFor()
})

test('words of a search are marked in topics, too', async () => {
  const { org, ana, bo, channel } = await scene()
  await sender(bo, channel)('Dark & light theme', 'Look at the contrast of the dark one')
  const { page } = await browser.open(org, ana, '#narrow/search/dark')
  const bar = page.locator('.conversation-bar', { hasText: 'Dark & light theme' })
  await bar.locator('.highlight', { hasText: 'Dark' }).waitFor()
  expect(await bar.locator('a').last().innerText()).toBe('Dark & light theme')
})

test('marked parts of a text are found, with its entities and spaces', () => {
  expect(markedParts('a &lt;b&gt; <span class="highlight">c</span> d')).toEqual([
    { text: 'a <b> ', isMarked: false },
    { text: 'c', isMarked: true },
    { text: ' d', isMarked: false },
  ])
})

test.each([
  ['2026-11-22', '2026-11-22'],
  ['date:2026/1/2', '2026-01-02'],
  ['2026-02-30', undefined],
  ['2026', undefined],
  ['from 2026-11-22', undefined],
])('the day of %j is %j', (text, found) => {
  expect(readDay(text)).toBe(found)
})
