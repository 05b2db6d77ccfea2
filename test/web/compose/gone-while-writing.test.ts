import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

// The conversation or message of a text changes or is deleted while the user writes. They notice late, and type on.

const { organization } = sharedServer()
const browser = webBrowser()

/** Waits until the page has heard of all events so far: Bo's message is in the list beside the view. */
async function hearAll(page: Page, { ana, bo }: Awaited<ReturnType<typeof twoPeople>>) {
  await direct(bo, [ana], 'Seen?')
  await page.getByRole('navigation').getByText('Bo Lind').waitFor()
}

/** Ana answers a message in the feed of all messages. */
async function replyInFeed() {
  const made = await twoPeople(organization)
  const id = await made.say('Icons', 'Are these too round?')
  const { page, url } = await browser.open(made.org, made.ana, '#feed')
  await page.locator(`article[data-id="${id}"] .content`).click()
  const box = page.locator('.composer textarea')
  await box.click()
  await page.keyboard.type('I think')
  return { ...made, id, page, url, box }
}

test('a reply in a feed is written on when its message is deleted', async () => {
  const scene = await replyInFeed()
  const { org, page, box, id } = scene
  await org.owner.delete(`/messages/${id}`)
  await page.locator(`article[data-id="${id}"]`).waitFor({ state: 'detached' })
  await hearAll(page, scene)
  await page.keyboard.type(' and draw')
  expect(new URL(page.url()).hash).toBe('#feed')
  expect(await box.inputValue()).toBe('I think and draw')
})

test('a reply in a feed goes along when its message moves, with the cursor where it was', async () => {
  const { org, page, box, id, url, topic } = await replyInFeed()
  for (const _ of 'think') await page.keyboard.press('ArrowLeft')
  await org.owner.patch(`/messages/${id}`, { topic: 'Shapes' })
  await page.getByRole('textbox', { name: /Shapes/ }).waitFor()
  await page.keyboard.type('do ')
  expect(await box.inputValue()).toBe('I do think')
  await page.goto(url + topic('Icons'))
  await page.getByRole('textbox', { name: /Icons/ }).waitFor()
  expect(await box.inputValue()).toBe('')
})

test('a text stays to be copied, and its keys do nothing else, when the user may write there no more', async () => {
  const scene = await twoPeople(organization)
  const { org, ana, bo } = scene
  await direct(bo, [ana], 'Where are you?')
  const { page } = await browser.open(org, ana, `#narrow/dm/${bo.id}`)
  const box = page.locator('.composer textarea')
  await box.click()
  await page.keyboard.type('I am')
  await org.owner.delete(`/users/${bo.id}`)
  await page.getByText('Bo Lind has been deactivated.').last().waitFor()
  await page.keyboard.type('i d')
  expect(new URL(page.url()).hash).toBe(`#narrow/dm/${bo.id}`)
  await box.and(page.locator(':focus')).waitFor()
  expect(await box.inputValue()).toBe('I am')
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('ControlOrMeta+b')
  expect(await box.inputValue()).toBe('I am')
})

test('signs that are typed on into the box of a message that is deleted are no shortcuts', async () => {
  const scene = await twoPeople(organization)
  const { org, ana, channel, topic } = scene
  const id = await sender(ana, channel)('Icons', 'Mine')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await page.locator(`article[data-id="${id}"] .content`).click()
  await page.keyboard.press('e')
  await page.locator('.edit-box textarea:focus').waitFor()
  await page.keyboard.type('!')
  await org.owner.delete(`/messages/${id}`)
  await page.locator('.edit-box').waitFor({ state: 'detached' })
  await page.keyboard.type('i d')
  expect(decodeURI(new URL(page.url()).hash)).toBe(topic('Icons'))
})

test('letters that are typed before the box of a reply has been loaded are its text, and no shortcuts', async () => {
  const { org, ana, say } = await twoPeople(organization)
  const id = await say('Icons', 'Are these too round?')
  const { page, url } = await browser.open(org, ana, '#inbox')
  const code = await holdRequests(page, '**/assets/composer-*.js')
  await page.goto(`${url}#feed`)
  await page.locator(`article[data-id="${id}"] .content`).click()
  await page.keyboard.type('ridt')
  expect(new URL(page.url()).hash).toBe('#feed')
  code.pass()
  await expect.poll(() => page.locator('.composer textarea:focus').inputValue()).toBe('idt')
})
