import type { Response } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { holdEvents, holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('a draft comes back that was deleted in a channel which its author has lost since', async () => {
  const { org, ana, bo } = await twoPeople(organization)
  const channel = await org.channel({ name: 'launch', isPrivate: true, subscribers: [ana, bo] })
  const draft = { type: 'stream', to: [channel.id], topic: 'Launch', timestamp: 1_700_000_000 }
  const drafts = ['On Monday', 'On Friday'].map((content) => ({ ...draft, content }))
  await ana.post('/drafts', { drafts })
  const { page } = await browser.open(org, ana, '#drafts')
  const rows = page.locator('.drafts li')
  await rows.nth(1).waitFor()
  await org.owner.delete('/users/me/subscriptions', { subscriptions: ['launch'], principals: [ana.id] })
  await rows.first().getByText('Unknown channel').waitFor()
  for (const text of ['On Monday', 'On Friday']) {
    await rows
      .filter({ hasText: text })
      .getByRole('button', { name: /^Delete/ })
      .click()
    await rows.filter({ hasText: text }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await rows.filter({ hasText: text }).waitFor()
  }
  await expect
    .poll(() => page.evaluate<string>(`localStorage.getItem('rookery.drafts.${ana.id}')`))
    .toContain('On Monday')
  await page.reload()
  for (const text of ['On Monday', 'On Friday']) await rows.filter({ hasText: text }).first().waitFor()
})

test('a draft comes back whose deletion is undone while the server is being told', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page, url } = await browser.open(org, ana, topic('Icons'))
  const contents = async () =>
    (await ana.get('/drafts')).body.drafts.map(({ content }: { content: string }) => content)
  await page.locator('.composer textarea').fill('Too round')
  await expect.poll(contents).toEqual(['Too round'])
  await page.goto(`${url}#drafts`)
  const row = page.locator('.drafts li', { hasText: 'Too round' })
  await row.waitFor()
  const deletion = await holdRequests(page, /\/json\/drafts\/\d+$/)
  await row.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.waitFor()
  await expect.poll(deletion.count).toBe(1)
  // The event of the deletion comes before its response.
  const { drafts } = (await ana.get('/drafts')).body
  await ana.delete(`/drafts/${drafts[0].id}`)
  await ana.post('/drafts', {
    drafts: [{ type: 'private', to: [ana.id], topic: '', content: 'Later', timestamp: 1_700_000_000 }],
  })
  await page.locator('.drafts li', { hasText: 'Later' }).waitFor()
  expect(await row.count()).toBe(1)
  deletion.pass()
  await expect.poll(contents).toContain('Too round')
})

test('a draft whose deletion has failed is there once, also when that is undone', async () => {
  const { org, ana } = await twoPeople(organization)
  const draft = { type: 'private', to: [ana.id], topic: '', content: 'Too round', timestamp: 1_700_000_000 }
  await ana.post('/drafts', { drafts: [draft, { ...draft, content: 'Too large' }] })
  const { page } = await browser.open(org, ana, '#drafts')
  const row = page.locator('.drafts li', { hasText: 'Too round' })
  await row.waitFor()
  const deletion = await holdRequests(page, /\/json\/drafts\/\d+$/)
  await row.getByRole('button', { name: /^Delete/ }).click()
  await expect.poll(deletion.count).toBe(1)
  deletion.cut()
  await row.waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  // What comes after a draft that was made by mistake would come after it.
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' })
  await ana.post('/drafts', { drafts: [{ ...draft, content: 'Later' }] })
  await page.locator('.drafts li', { hasText: 'Later' }).waitFor()
  expect(await row.count()).toBe(1)
})

test('text that is written after a draft was discarded stays when that is undone', async () => {
  const { org, ana } = await twoPeople(organization)
  const draft = { type: 'private', to: [ana.id], topic: '', content: 'Too round', timestamp: 1_700_000_000 }
  await ana.post('/drafts', { drafts: [draft] })
  const { page } = await browser.open(org, ana, `#narrow/dm/${ana.id}`)
  const box = page.locator('.composer textarea')
  await expect.poll(() => box.inputValue()).toBe('Too round')
  await page.getByRole('button', { name: 'Discard' }).click()
  await box.fill('Too large')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => box.inputValue()).toBe('Too large\n\nToo round')
})

test('the draft of a text that was sent comes back neither to the box nor to the list before the page has heard that it is gone', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  const { page, context } = await browser.open(org, ana, topic('Icons'))
  const events = await holdEvents(context, 'drafts')
  await page.reload()
  const box = page.locator('.composer textarea')
  await box.fill('Too round')
  await expect.poll(async () => (await ana.get('/drafts')).body.count).toBe(1)
  // What comes after the draft has been heard of, so the draft has.
  await say('Shapes', 'Just right')
  await page.getByRole('navigation').getByText('Shapes').waitFor()
  await events.hold(page)
  const later = { type: 'private', to: [ana.id], topic: '', content: 'Later', timestamp: 1_700_000_000 }
  await ana.post('/drafts', { drafts: [later] })
  const isDeletion = (response: Response) => response.request().method() === 'DELETE'
  const answered = page.waitForResponse(isDeletion)
  await box.press('Control+Enter')
  await (await answered).finished()
  await events.pass(page)
  const drafts = page.getByRole('navigation').getByRole('link', { name: /^Drafts/ })
  await expect.poll(() => drafts.innerText()).toMatch(/1/)
  expect(await box.inputValue()).toBe('')
  await events.free(page)
  await drafts.click()
  await page.locator('.drafts li', { hasText: 'Later' }).waitFor()
  expect(await page.locator('.drafts li').count()).toBe(1)
})
