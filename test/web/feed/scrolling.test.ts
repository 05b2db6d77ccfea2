import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { withResolvers } from '../../with-resolvers.ts'
import { belowView, firstInView, movedSince } from '../scroller.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

async function longTopic() {
  const { org, ana, channel, say } = await twoPeople(organization)
  for (let n = 1; n <= 260; n++)
    await say('Long', `Message ${n}\n\n${'```\na line of code\n```\n'.repeat(n % 4)}`)
  await ana.post('/messages/flags/narrow', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    narrow: [],
    op: 'add',
    flag: 'read',
  })
  const opened = await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/Long`)
  await opened.page.getByText('Message 260', { exact: true }).waitFor()
  return { ...opened, say }
}

/**
 * Scrolls up until older messages are asked for, whose answer is held back until it is released. A list that has just opened
 * may still follow its end, and then takes a single step back.
 */
async function scrollUp(page: Page) {
  const held = withResolvers()
  let isAsked = false
  const pattern = '**/json/messages?*'
  await page.route(pattern, async (route) => {
    isAsked = true
    await held.promise
    await route.continue()
  })
  const isOnItsWay = async () => {
    await page.evaluate(`document.querySelector('.message-scroller').scrollTop = 900`)
    return isAsked
  }
  await expect.poll(isOnItsWay).toBe(true)
  return {
    async release() {
      held.resolve()
      await page.unrouteAll({ behavior: 'wait' })
    },
  }
}

test('a conversation opens at the first unread message, below what was read', async () => {
  const { page, say, url } = await longTopic()
  const hash = new URL(page.url()).hash
  await page.goto(`${url}#inbox`)
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  for (let n = 1; n <= 40; n++) await say('Long', `Unread ${n}`)
  await page.goto(`${url}${hash}`)
  await page.getByText('Unread 1', { exact: true }).waitFor()
  const place = () =>
    page.evaluate<number>(`(() => {
      const view = document.querySelector('.message-scroller').getBoundingClientRect()
      return (document.querySelector('.unread-line').getBoundingClientRect().top - view.top) / view.height
    })()`)
  await expect.poll(async () => Math.abs((await place()) - 1 / 3)).toBeLessThan(0.05)
})

test('older messages come above without moving what the reader looks at', async () => {
  const { page } = await longTopic()
  await expect.poll(() => belowView(page)).toBeLessThanOrEqual(1)
  const rows = () => page.locator('.row').count()
  await expect.poll(rows).toBe(50)
  for (let round = 0; round < 2; round++) {
    const before = await rows()
    const arriving = await scrollUp(page)
    const seen = await firstInView(page)
    await arriving.release()
    await expect.poll(rows).toBe(before + 100)
    expect(await movedSince(page, seen)).toBeLessThanOrEqual(1)
  }
  await page.evaluate(`document.querySelector('.message-scroller').scrollTop = 0`)
  await page.getByText('Message 1', { exact: true }).waitFor()
})

/** Has a row above the view shrink, as soon as this many rows are there, by as much as the last of them have made the list longer. */
const shrinkAt = (page: Page, count: number) =>
  page.evaluate(`(() => {
    const rows = document.querySelector('.message-rows')
    let { height } = rows.getBoundingClientRect()
    new MutationObserver((_, observer) => {
      const added = rows.getBoundingClientRect().height - height
      height += added
      if (rows.children.length < ${count}) return
      observer.disconnect()
      rows.children[${count} - 50].style.marginTop = -added + 'px'
    }).observe(rows, { childList: true })
  })()`)

test('nothing in view moves if a row above shrinks by as much as came', async () => {
  const { page } = await longTopic()
  await expect.poll(() => belowView(page)).toBeLessThanOrEqual(1)
  const rows = () => page.locator('.row').count()
  await expect.poll(rows).toBe(50)
  const arriving = await scrollUp(page)
  const seen = await firstInView(page)
  await shrinkAt(page, 150)
  await arriving.release()
  await expect.poll(rows).toBe(150)
  expect(await movedSince(page, seen)).toBeLessThanOrEqual(1)
})

test('a reader at the end follows new messages, and another is told of them', async () => {
  const { page, say } = await longTopic()
  await say('Long', 'One more')
  await page.getByText('One more').waitFor()
  await expect.poll(() => belowView(page)).toBeLessThanOrEqual(1)
  await page.evaluate(`document.querySelector('.message-scroller').scrollTop -= 700`)
  const seen = await firstInView(page)
  await say('Long', 'And another')
  await page.getByRole('button', { name: '1 newer message' }).waitFor()
  expect(await movedSince(page, seen)).toBeLessThanOrEqual(1)
  await page.getByRole('button', { name: '1 newer message' }).click()
  await page.getByText('And another').waitFor()
  await expect.poll(() => belowView(page)).toBeLessThanOrEqual(1)
})

test('a reader who scrolls right after a key is not led back to what the key has chosen', async () => {
  const { page } = await longTopic()
  await page.keyboard.press('End')
  await page.locator('article.selected', { hasText: 'Message 260' }).waitFor()
  const moved = await page.evaluate<number>(`(async () => {
    const scroller = document.querySelector('.message-scroller')
    const place = () => document.querySelector('article.selected').getBoundingClientRect().top
    scroller.scrollTop -= 700
    const before = place()
    for (let i = 0; i < 20; i++) await new Promise(requestAnimationFrame)
    return Math.abs(place() - before)
  })()`)
  expect(moved).toBeLessThanOrEqual(1)
})

test('a message that is sent from a tall box is in view to its end where all messages before it fitted', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  await say('Icons', 'These are round')
  await say('Icons', 'Too round?\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 1 | 2 |')
  await say('Icons', '```python\na\nb\n```')
  await say('Icons', 'One\n\nTwo\n\nThree\n\nFour\n\nFive\n\nSix')
  const { page } = await browser.open(org, ana, topic('Icons'))
  await page.locator('article', { hasText: 'Too round?' }).locator('.content').click()
  await page.keyboard.press('>')
  const box = page.locator('.composer textarea')
  await expect.poll(() => box.inputValue()).toContain('Too round?')
  await page.keyboard.type('Yes')
  await page.keyboard.press('Control+Enter')
  const sent = page.locator('article[data-id]', { hasText: 'Yes' })
  await sent.waitFor()
  const isWhole = () =>
    sent.evaluate(
      (row) =>
        row.getBoundingClientRect().bottom <=
        row.closest('.message-scroller')!.getBoundingClientRect().bottom + 1,
    )
  await expect.poll(isWhole).toBe(true)
  expect(await belowView(page)).toBeLessThan(2)
})
