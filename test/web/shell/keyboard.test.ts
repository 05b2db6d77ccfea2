import { expect, test } from 'vitest'
import { actionOf, type Stroke, shortcuts, strokeOf } from '../../../web/lib/keys.ts'
import { webBrowser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

const scene = () => twoPeople(organization)

const key = (one: Partial<Stroke>) =>
  strokeOf({
    key: 'a',
    code: '',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...one,
  })

test.each([
  [{ key: 'j' }, 'j'],
  [{ key: 'J', shiftKey: true }, 'Shift+J'],
  // Caps lock is not the shift key.
  [{ key: 'J' }, 'j'],
  [{ key: '?', shiftKey: true }, '?'],
  [{ key: 'k', metaKey: true }, 'Ctrl+k'],
  [{ key: ' ', shiftKey: true }, 'Shift+Space'],
  [{ key: 'о', code: 'KeyJ' }, 'j'],
  [{ key: 'ArrowLeft', altKey: true }, 'Alt+ArrowLeft'],
] as const)('the keys %j are the stroke %s', (event, stroke) => {
  expect(key(event)).toBe(stroke)
})

test('no two shortcuts of one place share a stroke', () => {
  for (const isForWriting of [true, false]) {
    const keys = shortcuts
      .filter((one) => 'isForWriting' in one === isForWriting && !('isNative' in one))
      .flatMap((one) => one.keys)
    expect(keys.filter((one, index) => keys.indexOf(one) !== index)).toEqual([])
  }
  expect(actionOf('Ctrl+b')).toBeUndefined()
})

test('r leads to the box when no message is selected', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(bo, channel)('Dark theme', 'Hello')
  const { page } = await browser.open(org, ana, topic('Dark theme'))
  await page.getByText('Hello').waitFor()
  await page.locator('.composer textarea').evaluate('(area) => area.blur()')
  await page.keyboard.press('r')
  await page.keyboard.type('right')
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('right')
})

test('keys move the selection, which is in view', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  const send = sender(bo, channel)
  for (let i = 0; i < 30; i++) await send('Dark theme', `Message ${i} ${'with some words '.repeat(20)}`)
  const { page } = await browser.open(org, ana, topic('Dark theme'))
  await page.getByText('Message 0 ').waitFor()
  const selected = () => page.evaluate<string>('document.querySelector(".row.selected")?.textContent ?? ""')
  await page.keyboard.press('Home')
  await expect.poll(selected).toContain('Message 0 ')
  await page.keyboard.press('j')
  await page.keyboard.press('ArrowDown')
  await expect.poll(selected).toContain('Message 2 ')
  await page.keyboard.press('k')
  await expect.poll(selected).toContain('Message 1 ')
  await page.keyboard.press('End')
  await expect.poll(selected).toContain('Message 29 ')
  const isInView = () =>
    page.evaluate<boolean>(`(() => {
    const view = document.querySelector('.message-scroller').getBoundingClientRect()
    const row = document.querySelector('.row.selected').getBoundingClientRect()
    return row.bottom <= view.bottom + 1 && row.top >= view.top - 1
  })()`)
  await expect.poll(isInView).toBe(true)
})

test('shortcuts lead to views, and do nothing while the user writes', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(bo, channel)('Dark theme', 'One')
  await sender(bo, channel)('Icons', 'Two')
  await direct(bo, [ana], 'Three')
  const { page, problems } = await browser.open(org, ana, '#inbox')
  const title = () => page.getByRole('heading', { level: 1 }).innerText()
  await page.locator('.inbox-row').first().waitFor()
  await page.keyboard.press('t')
  await expect.poll(title).toBe('Recent conversations')
  await page.keyboard.press('a')
  await expect.poll(title).toBe('Combined feed')
  await page.keyboard.press('i')
  await expect.poll(title).toBe('Inbox')
  await page.keyboard.press('n')
  await expect.poll(title).toContain('Icons')
  await page.keyboard.press('n')
  await expect.poll(title).toContain('Dark theme')
  await page.keyboard.press('s')
  await expect.poll(title).not.toContain('Dark theme')
  await page.keyboard.press('p')
  await expect.poll(title).toBe('Bo Lind')
  await page.goto(page.url().replace(/#.*/, topic('Icons')))
  const box = page.getByRole('textbox', { name: /Icons/ })
  await box.click()
  await page.keyboard.type('jtain?')
  expect(await box.inputValue()).toBe('jtain?')
  expect(await title()).toContain('Icons')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect.poll(title).toBe('Inbox')
  expect(problems.filter((text) => !text.startsWith('Loading the image'))).toEqual([])
})

test('n and p lead past what the user leaves unread, and round', async () => {
  const { org, ana, bo, channel } = await scene()
  await ana.patch('/settings', { web_mark_read_on_scroll_policy: 3 })
  const other = await org.channel({ name: 'support', subscribers: [ana, bo] })
  await sender(bo, other)('Tea', 'Green?')
  for (const topic of ['One', 'Two', 'Three']) await sender(bo, channel)(topic, 'Hello')
  const eva = await org.person({ name: 'Eva Holm' })
  for (const from of [bo, eva]) await direct(from, [ana], 'Hello')
  const { page } = await browser.open(org, ana, '#inbox')
  const title = () => page.getByRole('heading', { level: 1 }).innerText()
  await page.locator('.inbox-row').first().waitFor()
  for (const topic of ['Three', 'Two', 'One', 'Tea', 'Three', 'Two']) {
    await page.keyboard.press('n')
    await expect.poll(title).toMatch(new RegExp(`${topic}$`))
  }
  await sender(bo, channel)('Three', 'Is anyone there?')
  await page
    .locator('.rail-item', { hasText: 'Three' })
    .getByText(/^2 unread/)
    .waitFor()
  await page.keyboard.press('n')
  await expect.poll(title).toMatch(/Three$/)
  for (const name of ['Eva Holm', 'Bo Lind', 'Welcome Bot', 'Eva Holm']) {
    await page.keyboard.press('p')
    await expect.poll(title).toBe(name)
  }
})

test('the sheet has every shortcut, and Escape closes it alone', async () => {
  const { org, ana } = await scene()
  const { page } = await browser.open(org, ana, '#recent')
  await page.getByRole('heading', { level: 1, name: 'Recent' }).waitFor()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.waitFor()
  expect(await sheet.locator('[data-action]').count()).toBe(shortcuts.length)
  await page.keyboard.press('i')
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Recent conversations')
})

test('letters that are typed before a search has been loaded are in its box, and Enter takes what it finds', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(bo, channel)('Dark theme', 'Hello')
  const { page, url } = await browser.open(org, ana, topic('Dark theme'))
  const title = () => page.getByRole('heading', { level: 1 }).innerText()
  const box = page.locator('.composer textarea')
  await box.fill('Half a thought')
  const code = await holdRequests(page, /assets\/(jump|search)-.*\.js/)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('#desxx')
  for (const key of ['Backspace', 'Backspace', 'Enter']) await page.keyboard.press(key)
  await expect.poll(code.count).toBeGreaterThan(0)
  code.pass()
  await expect.poll(title).toBe('design')
  await page.goto(`${url}#inbox`)
  await page.keyboard.press('/')
  await page.keyboard.type('he')
  await expect.poll(code.count).toBeGreaterThan(0)
  code.pass()
  const search = page.getByRole('combobox', { name: 'Search messages' })
  await search.waitFor()
  await page.keyboard.type('llo')
  expect(await search.inputValue()).toBe('hello')
  await page.keyboard.press('Escape')
  await page.goto(url + topic('Dark theme'))
  await expect.poll(() => box.inputValue()).toBe('Half a thought')
})

test('a key that is pressed before the page has heard of a new address is for the view there', async () => {
  const { org, ana } = await scene()
  const { page } = await browser.open(org, ana, '#recent')
  await page.getByRole('heading', { level: 1, name: 'Recent' }).waitFor()
  await page.evaluate(`
    location.hash = '#inbox'
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }))
  `)
  await page.getByRole('combobox', { name: 'Search messages' }).waitFor()
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Inbox')
  await page.goBack()
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Recent conversations')
})

test('Escape closes a search that is still being loaded', async () => {
  const { org, ana } = await scene()
  const { page } = await browser.open(org, ana, '#recent')
  const code = await holdRequests(page, /assets\/jump-.*\.js/)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('des')
  await page.keyboard.press('Escape')
  await expect.poll(code.count).toBeGreaterThan(0)
  code.pass()
  // The search takes the keys that are pressed before it has come and gone; a search that stayed would take all of them.
  const inbox = page.getByRole('heading', { level: 1, name: 'Inbox' })
  const goes = async () => {
    await page.keyboard.press('i')
    return inbox.isVisible()
  }
  await expect.poll(goes).toBe(true)
  expect(await page.locator('dialog').count()).toBe(0)
})
