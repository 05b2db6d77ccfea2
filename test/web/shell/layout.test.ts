import { join } from 'node:path'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type WebUser, webBrowser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import type { Organization } from '../../organization.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople, usualViews } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** A folder for pictures of all screens, for people to look at. */
const folder = process.env.SCREENSHOTS

const wideTable = `| ${'column | '.repeat(14)}\n|${'---|'.repeat(14)}\n| ${'a longer value | '.repeat(14)}`
const texts = [
  'Tokens are in. Look at the border on inputs, please: it is **too strong** next to the text.',
  wideTable,
  `\`\`\`css\n.row { ${'margin: 0; '.repeat(40)}}\n\`\`\``,
  `A word ${'withoutanyplacetobreak'.repeat(12)} and https://example.com/${'a-long-path/'.repeat(20)}`,
  'مرحبا بالجميع، كيف أغيّر كلمة المرور؟',
  '> quoted\n\nAnd a formula: $$t = \\frac{n}{k} + c$$',
  '/poll What shall we eat?\nRamen\nPizza',
]

/** Views, by what their titles begin with. */
type Views = [hash: string, title: RegExp][]

let made: Promise<{ org: Organization; ana: WebUser; topic: string; views: Views }> | undefined

function scene() {
  made ??= (async () => {
    const { org, ana, bo, channel } = await twoPeople(organization)
    await org.channel({
      name: 'a channel whose name is as long as names may be, more or less',
      subscribers: [ana],
    })
    await org.channel({ name: 'مرحبا', subscribers: [ana] })
    const say = sender(bo, channel)
    let id = 0
    for (const text of texts) id = await say('Dark theme', text)
    for (const name of ['tada', 'heart', 'octopus', '+1', 'eyes', 'rocket', 'wave', 'sun']) {
      await bo.post(`/messages/${id}/reactions`, { emoji_name: name })
    }
    await say('A topic whose name is nearly as long as the names of topics may be', 'Short')
    await direct(bo, [ana], 'Hello Ana')
    const draft = {
      type: 'stream',
      to: [channel.id],
      topic: 'Icons',
      content: 'Half a thought',
      timestamp: 1,
    }
    await ana.post('/drafts', { drafts: [draft] })
    const topic = `#narrow/channel/${channel.id}/topic/Dark.20theme`
    const views: Views = [
      ...usualViews(channel),
      ['#drafts', /Drafts/],
      [`#topics/channel/${channel.id}`, /design/],
    ]
    return { org, ana, topic, views }
  })()
  return made
}

/** Returns the elements that are wider than their place, so that they would have to be scrolled sideways. */
function tooWide(page: Page) {
  return page.evaluate<string[]>(`(() => {
    const places = [document.documentElement, ...document.querySelectorAll('main, .message-scroller, .view-body, .rail, .composer, dialog, .view-head')]
    return places
      .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.tagName + '.' + one.className + ': ' + one.scrollWidth + ' in ' + one.clientWidth)
  })()`)
}

const sizes = {
  phone: { width: 360, height: 740 },
  middle: { width: 1024, height: 768 },
  large: { width: 1920, height: 1080 },
  // A window of 1280 by 800 at a zoom of 400 %.
  zoomed: { width: 320, height: 200 },
}

type Kind = [string, Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'forcedColors'>, 'ltr' | 'rtl']

const kinds: Kind[] = [
  ['phone', { viewport: sizes.phone }, 'ltr'],
  ['phone-dark', { viewport: sizes.phone, colorScheme: 'dark' }, 'ltr'],
  ['middle', { viewport: sizes.middle }, 'ltr'],
  ['large', { viewport: sizes.large }, 'ltr'],
  ['zoomed', { viewport: sizes.zoomed }, 'ltr'],
  ['right-to-left', { viewport: sizes.middle }, 'rtl'],
  ['right-to-left-phone', { viewport: sizes.phone }, 'rtl'],
  ['forced-colors', { viewport: sizes.middle, forcedColors: 'active' }, 'ltr'],
]

test('on a phone, the placeholder of the box ends with an ellipsis, and drafts have the whole width', async () => {
  const { org, ana, topic } = await scene()
  const { page, url } = await browser.open(org, ana, topic, { viewport: sizes.phone })
  const placeholder = page.locator('.compose-placeholder')
  await placeholder.waitFor()
  const { style, isCut, lines } = await placeholder.evaluate((element) => ({
    style: element.ownerDocument.defaultView!.getComputedStyle(element).textOverflow,
    isCut: element.scrollWidth > element.clientWidth,
    lines: element.previousElementSibling!.getBoundingClientRect().height,
  }))
  expect({ style, isCut }).toEqual({ style: 'ellipsis', isCut: true })
  expect(lines).toBeLessThan(50)
  await page.locator('.composer textarea').fill('Text')
  await placeholder.waitFor({ state: 'hidden' })
  await page.locator('.composer textarea').fill('')
  await page.goto(`${url}#drafts`)
  expect((await page.locator('.draft-open').first().boundingBox())!.width).toBeGreaterThan(320)
})

test('on a phone, the box has the tools of most messages, and the others on request', async () => {
  const { org, ana, topic } = await scene()
  const { page } = await browser.open(org, ana, topic, { viewport: sizes.phone })
  const button = (name: string) => page.locator('.composer').getByRole('button', { name, exact: true })
  for (const name of ['Attach files', 'Insert an emoji', 'Formatting', 'Send']) await button(name).waitFor()
  for (const name of ['Bold', 'Preview', 'Snippets']) expect(await button(name).count()).toBe(0)
  await button('Formatting').click()
  for (const name of ['Bold', 'Preview', 'Snippets']) await button(name).waitFor()
  expect(await tooWide(page)).toEqual([])
  await button('Formatting').click()
  await button('Bold').waitFor({ state: 'detached' })
})

test('from right to left, titles begin on the right, and arrows point to the left', async () => {
  const { org, ana, topic } = await scene()
  const { page, url } = await browser.open(org, ana, topic, { viewport: sizes.phone })
  await page.evaluate(`document.documentElement.dir = 'rtl'`)
  const opener = page.locator('.view-head .rail-opener')
  const gap = async (name: string) => {
    const [title, button] = [await page.locator(name).first().boundingBox(), await opener.boundingBox()]
    return button!.x - (title!.x + title!.width)
  }
  await page.locator('.view-head h1 a').waitFor()
  expect(await gap('.view-head h1 .channel-icon')).toBeLessThan(20)
  const arrow = page.locator('.view-head h1 > .icon')
  expect(await arrow.evaluate((icon) => icon.ownerDocument.defaultView!.getComputedStyle(icon).scale)).toBe(
    '-1 1',
  )
  await page.goto(`${url}#drafts`)
  await page.getByRole('heading', { level: 1, name: 'Drafts' }).waitFor()
  expect(
    await page
      .locator('h1')
      .evaluate((title) => title.ownerDocument.defaultView!.getComputedStyle(title).direction),
  ).toBe('rtl')
})

test.each(['ltr', 'rtl'])('names begin beside their icons, whatever their script (%s)', async (direction) => {
  const { org, ana, topic } = await scene()
  const { page } = await browser.open(org, ana, topic)
  await page.evaluate(`document.documentElement.dir = '${direction}'`)
  const gap = (name: string) =>
    page
      .getByRole('navigation')
      .getByRole('link', { name })
      .first()
      .evaluate((link) => {
        const text = link.ownerDocument.createRange()
        text.selectNodeContents(link.querySelector('.rail-text')!)
        const [icon, shown] = [link.querySelector('.icon')!, text].map((one) => one.getBoundingClientRect())
        return Math.max(shown!.left - icon!.right, icon!.left - shown!.right)
      })
  for (const name of ['design', 'مرحبا', 'Inbox']) {
    await expect.poll(() => gap(name), { message: name }).toBeLessThan(20)
    expect(await gap(name), name).toBeGreaterThan(0)
  }
})

test.each(['ltr', 'rtl'])(
  'texts of both directions stand in one message, and code is the same in all (%s)',
  async (direction) => {
    const { org, ana, topic } = await bothDirections()
    const { page } = await browser.open(org, ana, topic)
    await page.evaluate(`document.documentElement.dir = '${direction}'`)
    const content = page.locator('article .content')
    const room = (await content.locator('p').first().boundingBox())!
    /** How far the first line of a text is from the left and from the right of the message. */
    const gaps = (selector: string) =>
      content.locator(selector).evaluate((one, { x, width }) => {
        const text = one.ownerDocument.createRange()
        text.selectNodeContents(one)
        const line = text.getClientRects()[0]!
        return { left: line.left - x, right: x + width - line.right }
      }, room)
    const [english, arabic, code] = [await gaps('p >> nth=0'), await gaps('p >> nth=1'), await gaps('pre')]
    expect(english.left).toBeLessThan(english.right)
    expect(arabic.right).toBeLessThan(arabic.left)
    expect(code.left).toBeLessThan(code.right)
  },
)

test('a name of the other direction is set off in a sentence, and the arrows of the picker follow the page', async () => {
  const { org, ana, topic } = await bothDirections()
  const { page, url } = await browser.open(org, ana, '#channels')
  await page.locator('.inbox-row', { hasText: 'مرحبا' }).getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByText('You unsubscribed from #\u2068مرحبا\u2069.').waitFor()
  await page.evaluate(`document.documentElement.dir = 'rtl'`)
  await page.goto(url + topic)
  await page.locator('article').hover()
  await page.getByRole('button', { name: 'Add a reaction' }).click()
  const chosen = page.locator('.emoji-grid [aria-selected=true]')
  const first = await chosen.boundingBox()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await chosen.boundingBox())!.x).toBeLessThan(first!.x)
})

async function bothDirections() {
  const { org, ana, bo, channel, topic } = await twoPeople(organization)
  await org.channel({ name: 'مرحبا', subscribers: [ana] })
  await sender(bo, channel)('Icons', 'Short.\n\nمرحبا بالجميع.\n\n```\nmargin: 0;\n```')
  return { org, ana, topic: topic('Icons') }
}

test('on a phone, what stands beside a name does not hide it', async () => {
  const { org, ana } = await scene()
  const { page } = await browser.open(org, ana, '#feed', { viewport: sizes.phone })
  const isWhole = (element: Locator) => element.evaluate((one) => one.scrollWidth <= one.clientWidth)
  const topic = page.locator('.conversation-bar', { hasText: 'A topic whose name' }).last()
  expect(await isWhole(topic.getByRole('link', { name: 'design' }))).toBe(true)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('bo lind')
  expect(await isWhole(page.getByRole('option', { name: /Bo Lind/ }).locator('.place-name'))).toBe(true)
})

test('on a touch screen, buttons and fields are as large as a finger', async () => {
  const { org, ana, views } = await scene()
  const touch = { viewport: sizes.phone, hasTouch: true, isMobile: true }
  const { page, url } = await browser.open(org, ana, '', touch)
  const others: Views = [
    ['#settings', /Settings/],
    ['#channels/new', /Channels/],
  ]
  for (const [hash, title] of [...views, ...others]) {
    await page.goto(url + hash)
    await page.getByRole('heading', { level: 1, name: title, includeHidden: true }).waitFor()
    await page.locator('article, .view-body :is(a, h2), .section-list, dialog').first().waitFor()
    expect(await tooSmall(page), hash).toEqual([])
  }
})

/** Returns the controls that are smaller than a finger, except for those within a text. */
function tooSmall(page: Page) {
  return page.evaluate<string[]>(`(() => {
    const pressed = '.button, .icon-button, .field, .rail-item, .conversation-bar a, .section-list a, .bottom-bar *:is(a, button)'
    return [...document.querySelectorAll(pressed)]
      .filter((one) => one.checkVisibility() && !one.closest('.content, .pill'))
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([one, { width, height }]) => height < 44 || (width < 44 && one.matches('button')))
      .map(([one, { width, height }]) => (one.ariaLabel || one.textContent) + ': ' + width + ' x ' + height)
  })()`)
}

test.each(kinds)('no screen has to be scrolled sideways: %s', async (name, options, direction) => {
  const { org, ana, views } = await scene()
  const { page, url } = await browser.open(org, ana, '', options)
  for (const [index, [hash, title]] of views.entries()) {
    await page.goto(url + hash)
    await page.evaluate(`document.documentElement.dir = '${direction}'`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.locator('article, .view-body :is(a, h2)').first().waitFor()
    if (folder) await page.screenshot({ path: join(folder, `${name}-${index}.png`) })
    expect(await tooWide(page), hash).toEqual([])
    const places = await page.locator('.message-scroller, .view-body').all()
    for (const place of places) expect((await place.boundingBox())?.height).toBeGreaterThan(90)
    // Words in the cells of tables stay whole.
    const cells = await page.locator('.content th').all()
    for (const cell of cells.slice(0, 2)) expect((await cell.boundingBox())?.height).toBeLessThan(40)
  }
})
