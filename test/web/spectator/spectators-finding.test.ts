import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { changeRealm, sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'

const { organization } = sharedServer()
const browser = webBrowser()

async function scene() {
  const org = await organization()
  await changeRealm(org, { enable_spectator_access: true })
  const bo = await webUser(org, 'Bo Lind')
  const channel = await org.channel({ name: 'open house', isWebPublic: true, subscribers: [bo] })
  const say = sender(bo, channel)
  await say('Hours', 'We are open today.')
  await say('Prices', 'Coffee is free.')
  return { org, bo, say, hash: `#narrow/channel/${channel.id}` }
}

test('a reader without an account sees new and changed messages, and new topics', async () => {
  const { org, bo, say, hash } = await scene()
  const { page } = await browser.open(org, undefined, hash)
  await page.getByText('We are open today.').waitFor()
  const rail = page.getByRole('navigation')
  await expect
    .poll(() => rail.locator('.rail-topics a').allInnerTexts())
    .toEqual(['Prices', 'Hours', 'All topics'])
  const id = await say('Parking', 'Behind the house.')
  await bo.patch(`/messages/${id - 1}`, { content: 'Coffee is two coins.' })
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await page.getByText('Behind the house.').waitFor()
  await page.getByText('Coffee is two coins.').waitFor()
  expect(await page.getByText('Coffee is free.').count()).toBe(0)
  await rail.getByRole('link', { name: 'Parking' }).click()
  await page.getByRole('heading', { level: 1, name: 'Parking' }).waitFor()
})

test('a reader without an account sees a new web-public channel, and a closed one goes', async () => {
  const { org, bo, hash } = await scene()
  const { page } = await browser.open(org, undefined, hash)
  const channels = page.getByRole('navigation').locator('.rail-scroll > ul > li > a')
  await expect.poll(() => channels.allInnerTexts()).toEqual(['Combined feed', 'open house'])
  const opened = await org.channel({ name: 'news', isWebPublic: true, subscribers: [bo] })
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await expect.poll(() => channels.allInnerTexts()).toEqual(['Combined feed', 'news', 'open house'])
  const answer = await org.owner.patch(`/streams/${opened.id}`, { is_web_public: false })
  expect(answer.body.result).toBe('success')
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await expect.poll(() => channels.allInnerTexts()).toEqual(['Combined feed', 'open house'])
})

test('the open view is read again every minute while it is looked at', async () => {
  const { org, say, hash } = await scene()
  const { page } = await browser.open(org, undefined, hash)
  await page.clock.install()
  await page.reload()
  await page.getByText('We are open today.').waitFor()
  await say('Hours', 'Closed tomorrow.')
  await page.clock.runFor(61_000)
  await page.getByText('Closed tomorrow.').waitFor()
})

test('a reader without an account finds messages and topics, and is told what needs an account', async () => {
  const { org, bo, hash } = await scene()
  const { page, url } = await browser.open(org, undefined, hash)
  await page.getByText('We are open today.').click()
  await page.keyboard.press('/')
  const field = page.getByRole('combobox', { name: 'Search messages' })
  await field.waitFor()
  const offers = page.getByRole('option')
  await expect.poll(() => offers.count()).toBeGreaterThan(3)
  expect((await offers.allInnerTexts()).filter((text) => /^(dm|is):/.test(text))).toEqual([])
  await field.fill('coffee')
  await field.press('Enter')
  await page.locator('.message-rows', { hasText: 'is free.' }).waitFor()
  await expect.poll(() => page.getByText('We are open today.').count()).toBe(0)
  await page.goto(`${url}#narrow/sender/${bo.id}`)
  await page.getByText('We are open today.').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'open house' }).click()
  await page.getByRole('link', { name: 'All topics' }).click()
  await page.getByRole('searchbox').fill('pri')
  await page.getByRole('link', { name: 'Prices' }).last().click()
  await page.getByText('Coffee is free.').waitFor()
  await page.goto(`${url}#narrow/is/starred`)
  await page.getByText('You need an account to see this.').waitFor()
})
