import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import { png, sendFiles } from '../../pictures.ts'
import { sharedServer } from '../../test-server.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** A word of some length, which has no place to break. */
const word = (length: number) => 'Donaudampfschifffahrtsgesellschaft'.repeat(12).slice(0, length)
const name = word(100)
const short = word(60)

let made: ReturnType<typeof newScene> | undefined

/** An organization in which all names are as long as they may be, without spaces. */
function scene() {
  made ??= newScene()
  return made
}

async function newScene() {
  const org = await organization()
  const ana = await webUser(org, 'Ana Ruiz')
  await org.owner.patch(`/users/${ana.id}`, { role: 100 })
  const bo = await org.person({ name, email: 'bo@example.com' })
  const channel = await org.channel({ name: short, creator: ana, subscribers: [ana, bo] })
  const secret = await org.channel({
    name: 'W'.repeat(60),
    creator: ana,
    subscribers: [ana],
    isPrivate: true,
  })
  const say = sender(bo, channel)
  await say(short, 'Hello')
  await say(short, `/poll ${word(90)}\n${word(90)}\nPizza`)
  await say(short, `/todo ${word(90)}\n${word(60)}: ${word(80)}`)
  const content = await png(1600, 900)
  const { body } = await sendFiles(bo, 'POST', '/user_uploads', [{ name: `${word(90)}.png`, content }])
  const picture = `[${word(90)}.png](${body.url})`
  const id = await say(short, `${picture} ${picture}`)
  await bo.patch(`/messages/${id}`, { content: `${picture} ${picture} again` })
  await direct(bo, [ana], word(200))
  const draft = { type: 'stream', to: [channel.id], topic: short, content: word(300), timestamp: 1 }
  await ana.post('/drafts', { drafts: [draft, { ...draft, type: 'private', to: [bo.id], topic: '' }] })
  await ana.post('/saved_snippets', { title: short, content: word(300) })
  await ana.post('/users/me/status', { status_text: short })
  await bo.post('/users/me/status', { status_text: short })
  await ana.post('/bots', { full_name: word(99), short_name: word(60).toLowerCase() })
  const topic = `#narrow/channel/${channel.id}/topic/${short}`
  return { org, ana, bo, channel, secret, topic, id, say }
}

/**
 * The texts and controls that reach beyond the sides of a place, and so cannot be seen as a whole. Of what ends with an ellipsis,
 * the ellipsis is to be seen, and a wide table is scrolled.
 */
function beyond(page: Page, place: string) {
  return page.evaluate<string[]>(`(() => {
    const places = [...document.querySelectorAll(${JSON.stringify(place)})].filter((one) => one.checkVisibility())
    const around = (one) => (one ? [one, ...around(one.parentElement)] : [])
    const isScrolled = (one) => one.matches('table, pre, .tabs, .visually-hidden')
    const hasEllipsis = (one) => getComputedStyle(one).textOverflow === 'ellipsis'
    return places.flatMap((place) => {
      const { left, right } = place.getBoundingClientRect()
      const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT)
      const shown = [...place.querySelectorAll('button, a, input, select, textarea')].map((one) => [one, one, one.ariaLabel || one.textContent])
      while (walker.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        const parent = walker.currentNode.parentElement
        shown.push([around(parent).find(hasEllipsis) ?? range, parent, walker.currentNode.data])
      }
      return shown
        .filter(([, element]) => !around(element).some(isScrolled))
        .map(([one, , name]) => [one.getBoundingClientRect(), name])
        .filter(([box]) => box.width > 0 && (box.left < left - 1 || box.right > right + 1))
        .map(([box, name]) => name.slice(0, 40) + ': ' + Math.round(box.left) + '–' + Math.round(box.right) + ' in ' + Math.round(left) + '–' + Math.round(right))
    })
  })()`)
}

/** Waits until nothing reaches beyond the sides of a place. */
async function expectToFit(page: Page, place: string) {
  await page.locator(place).first().waitFor()
  await expect.poll(() => beyond(page, place)).toEqual([])
}

const sizes = ['wide', 'phone'] as const

test.each(sizes)('the names of senders, polls and tasks break (%s)', async (size) => {
  const { org, ana, topic } = await scene()
  const { page } = await browser.open(org, ana, topic, { viewport: viewports[size] })
  await page.locator('.widget').nth(1).waitFor()
  await expectToFit(page, '.row-main')
  await expectToFit(page, '.widget')
})

test.each(sizes)('the names of conversations break in drafts and in the inbox (%s)', async (size) => {
  const { org, ana, say } = await scene()
  const { page, url } = await browser.open(org, ana, '#drafts', { viewport: viewports[size] })
  await page.locator('.draft-row').nth(1).waitFor()
  await expectToFit(page, '.draft-open')
  // In a topic that no other test opens, so that it stays unread.
  await say(word(59), 'Hello')
  await page.goto(`${url}#inbox`)
  await page.locator('.inbox-group h2 a').waitFor()
  await expectToFit(page, '.inbox-group')
})

test.each(sizes)('recent conversations show the topic of a channel with a long name (%s)', async (size) => {
  const { org, ana } = await scene()
  const { page } = await browser.open(org, ana, '#recent', { viewport: viewports[size] })
  const row = page.locator('.recent .inbox-name', { has: page.locator('.row-channel') }).first()
  const [channel, topic] = [row.locator('.row-channel'), row.locator('> span').last()]
  await row.waitFor()
  const [whole, first, last] = await Promise.all([row, channel, topic].map((one) => one.boundingBox()))
  expect(last!.x).toBeLessThan(whole!.x + whole!.width * 0.7)
  expect(first!.x + first!.width).toBeLessThanOrEqual(size === 'phone' ? whole!.x + whole!.width : last!.x)
  // On a phone, the topic has a line of its own.
  if (size === 'phone') expect(last!.y).toBeGreaterThanOrEqual(first!.y + first!.height)
})

type Opening = (page: Page, made: Awaited<ReturnType<typeof newScene>>) => Promise<unknown>

/** Dialogs and lists: what each is, the place that all of it is in, and how it is opened from the topic. */
const opened: [name: string, place: string, open: Opening][] = [
  ['moving', 'dialog .panel-inside', (page) => page.keyboard.press('m')],
  ['history', 'dialog .panel-inside', (page) => page.keyboard.press('Shift+H')],
  ['picture', 'dialog.viewer', (page) => page.keyboard.press('v')],
  ['card', '.user-card', (page) => page.keyboard.press('u')],
  ['jump', '.jump-places button', (page) => page.keyboard.press('Control+k')],
  [
    'search',
    '.search-box',
    async (page, { bo, channel }) => {
      await page.evaluate(
        `location.hash = '#narrow/channel/${channel.id}/topic/${short}/sender/${bo.id}/search/nothing'`,
      )
      await page.getByText('Nothing matches').waitFor()
      await page.keyboard.press('/')
      await page.locator('.search-box .pill').nth(2).waitFor()
    },
  ],
  [
    'recipients',
    '.begin-box .recipients',
    async (page) => {
      await page.keyboard.press('x')
      await page.locator('.recipients input').fill(word(20))
      await page.locator('.recipients [role=option]').first().waitFor()
      await page.keyboard.press('Enter')
      await page.locator('.recipients .pill').waitFor()
    },
  ],
  [
    'question',
    'dialog .panel-inside',
    async (page, { secret }) => {
      await page.evaluate(`location.hash = '#channels'`)
      const row = page.locator('.inbox-row', { hasText: secret.name })
      await row.getByRole('button', { name: 'Unsubscribe' }).click()
    },
  ],
  [
    'snippets',
    'dialog .panel-inside',
    async (page) => {
      const more = page.getByRole('button', { name: 'Formatting', exact: true })
      const snippets = page.getByRole('button', { name: 'Snippets' })
      await more.or(snippets).first().waitFor()
      if (await more.isVisible()) await more.click()
      await snippets.click()
      await page.locator('.plain-list li').waitFor()
    },
  ],
  [
    'subscribers',
    'dialog .panel-inside',
    async (page, { channel }) => {
      await page.evaluate(`location.hash = '#channels/${channel.id}/subscribers'`)
      await page.locator('dialog .principals input').fill(word(20))
      await page.locator('dialog [role=option]').first().waitFor()
    },
  ],
  [
    'members',
    '.details',
    async (page) => {
      await page.locator('.members-button').click()
      await page.getByText('2 people').waitFor()
    },
  ],
]

test.each(sizes.flatMap((size) => opened.map((one) => [size, ...one] as const)))(
  'nothing of a dialog is out of sight for long words (%s, %s)',
  async (size, _, place, open) => {
    const all = await scene()
    const { org, ana, topic, id } = all
    const { page } = await browser.open(org, ana, `${topic}/near/${id}`, { viewport: viewports[size] })
    await page.locator(`article[data-id="${id}"]`).focus()
    await open(page, all)
    await expectToFit(page, place)
    expect(await page.evaluate('document.body.scrollLeft')).toBe(0)
  },
)

test.each(sizes)('settings are not wider than their place for long words (%s)', async (size) => {
  const { org, ana } = await scene()
  const { page, url } = await browser.open(org, ana, '', { viewport: viewports[size] })
  const sections = [
    ['settings/bots', '.set-details'],
    ['settings/profile', '.set-section .button'],
    ['settings/snippets', '.plain-list li'],
    ['organization/channels', '.set-section select'],
    ['organization/audit-log', '.audit-entries li'],
  ]
  for (const [address, shown] of sections) {
    await page.goto(`${url}#${address}`)
    await page.locator(shown!).first().waitFor()
    await expectToFit(page, '.settings-content')
  }
})
