import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, webBrowser } from '../../browser/chromium.ts'
import { sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const boxOf = (page: Page) => page.locator('.composer textarea')

/** The contents of the drafts that the browser keeps. */
const keptIn = (page: Page, userId: number) =>
  page.evaluate<string[]>(`Object.values(JSON.parse(localStorage.getItem('rookery.drafts.${userId}') ?? '{}'))
    .map((draft) => draft.content)`)

test('without the server, a text that is sent or changed in one tab is so in the other', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  await ana.patch('/settings', { enable_drafts_synchronization: false })
  const { page, context, url } = await browser.open(org, ana, topic('Icons'))
  const { page: other } = await openPage(context, url + topic('Icons'))
  const [here, there] = [boxOf(page), boxOf(other)]
  await here.fill('Are these')
  await expect.poll(() => there.inputValue()).toBe('Are these')
  await there.fill('Are these too round?')
  await expect.poll(() => here.inputValue()).toBe('Are these too round?')
  await here.press('Control+Enter')
  await page.locator('article', { hasText: 'too round' }).waitFor()
  await expect.poll(() => there.inputValue()).toBe('')
  await other.reload()
  await there.waitFor()
  expect(await there.inputValue()).toBe('')
  expect(await keptIn(other, ana.id)).toEqual([])
})

test('texts that two tabs keep without a connection are both there after both were closed', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page, context, url } = await browser.open(org, ana, topic('Icons'))
  const { page: other } = await openPage(context, url + topic('Shapes'))
  await boxOf(other).waitFor()
  await context.setOffline(true)
  await boxOf(page).fill('About icons')
  await expect.poll(() => keptIn(page, ana.id)).toEqual(['About icons'])
  await boxOf(other).fill('About shapes')
  await expect.poll(() => keptIn(page, ana.id)).toEqual(['About icons', 'About shapes'])
  for (const one of [page, other])
    await Promise.all([one.waitForEvent('close'), one.close({ runBeforeUnload: true })])
  await context.setOffline(false)
  const { page: next } = await openPage(context, url + topic('Icons'))
  await expect.poll(() => boxOf(next).inputValue()).toBe('About icons')
  await next.goto(url + topic('Shapes'))
  await expect.poll(() => boxOf(next).inputValue()).toBe('About shapes')
})

test('a text waits for its files: it is not sent before, and keeps no trace of those that never arrived', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page, url } = await browser.open(org, ana, topic('Icons'))
  await boxOf(page).fill('Look at this:')
  const requests = await holdRequests(page, '**/json/user_uploads')
  const file = { name: 'icons.txt', mimeType: 'text/plain', buffer: Buffer.from('round') }
  await page.locator('.composer input[type=file]').setInputFiles(file)
  await expect.poll(requests.count).toBe(1)
  await page.getByRole('button', { name: 'Schedule and settings' }).click()
  await page.getByRole('menuitemradio').first().waitFor()
  expect(await page.getByRole('menuitem').count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.goto(`${url}#drafts`)
  const send = page.getByRole('button', { name: /^Send now/ })
  await send.waitFor()
  expect(await send.isDisabled()).toBe(true)
  await page.goto(url + topic('Icons'))
  await page.reload()
  await expect.poll(() => boxOf(page).inputValue()).toMatch(/^Look at this:\s*$/)
  await expect
    .poll(async () => (await ana.get('/drafts')).body.drafts)
    .toMatchObject([{ content: 'Look at this:' }])
})

test('files that are dropped where nothing takes them do not take the place of the page', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, '#inbox')
  const drag = (selector: string) =>
    page.evaluate<boolean>(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['round'], 'icons.txt'))
      const event = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer })
      document.querySelector('${selector}').dispatchEvent(event)
      return event.defaultPrevented
    })()`)
  for (const selector of ['.rail', '#main']) await expect.poll(() => drag(selector)).toBe(true)
})

test('a text that the server has does not stay in the browser when the user signs out', async () => {
  const { org, ana, topic } = await twoPeople(organization)
  const { page } = await browser.open(org, ana, topic('Icons'))
  await boxOf(page).fill('Between us')
  await expect.poll(() => keptIn(page, ana.id)).toEqual(['Between us'])
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/login/)
  expect(await keptIn(page, ana.id)).toEqual([])
  expect((await ana.get('/drafts')).body.drafts).toMatchObject([{ content: 'Between us' }])
})

test('a draft that goes along with its topic in several tabs stays one draft', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  const id = await say('Icons', 'Are these too round?')
  const { page, context, url } = await browser.open(org, ana, topic('Icons'))
  await boxOf(page).fill('I think')
  const drafts = async () => (await ana.get('/drafts')).body.drafts
  await expect.poll(drafts).toHaveLength(1)
  const { page: other } = await openPage(context, url + topic('Icons'))
  await expect.poll(() => boxOf(other).inputValue()).toBe('I think')
  const { page: third } = await openPage(context, `${url}#drafts`)
  await third.getByText('#design › Icons').first().waitFor()
  await org.owner.patch(`/messages/${id}`, { topic: 'Shapes', propagate_mode: 'change_all' })
  for (const one of [page, other]) await one.getByRole('heading', { level: 1, name: /Shapes/ }).waitFor()
  await third.getByRole('button', { name: 'Continue writing: #design › Shapes' }).waitFor()
  expect(await third.locator('.draft-row').count()).toBe(1)
  expect(await drafts()).toMatchObject([{ topic: 'Shapes', content: 'I think' }])
  for (const one of [page, other]) expect(await boxOf(one).inputValue()).toBe('I think')
  await boxOf(page).press('Control+Enter')
  await expect.poll(() => boxOf(other).inputValue()).toBe('')
  await expect.poll(drafts).toEqual([])
})
