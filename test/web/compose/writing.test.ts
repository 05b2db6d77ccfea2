import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type WebUser, webBrowser } from '../../browser/chromium.ts'
import { contentsOf, sender } from '../../messages.ts'
import type { Organization } from '../../organization.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

async function scene() {
  const { topic, ...all } = await twoPeople(organization)
  return { ...all, topic: topic('Dark theme') }
}

async function opened(org: Organization, user: WebUser, hash: string) {
  const made = await browser.open(org, user, hash)
  const box = made.page.locator('.composer textarea')
  await box.waitFor()
  return { ...made, box }
}

test('Enter sends or makes a line, by the setting', async () => {
  const { org, ana, channel, topic } = await scene()
  const { page, box } = await opened(org, ana, topic)
  await box.fill('One')
  await box.press('Enter')
  await box.pressSequentially('two')
  await box.press('Control+Enter')
  await page.locator('article.row:not(.outgoing)', { hasText: 'two' }).waitFor()
  await ana.patch('/settings', { enter_sends: true })
  await expect
    .poll(async () => {
      await box.fill('Three')
      await box.press('Enter')
      return box.inputValue()
    })
    .toBe('')
  await box.fill('Four')
  await box.press('Shift+Enter')
  await box.pressSequentially('five')
  await box.press('Enter')
  await page.locator('article.row:not(.outgoing)', { hasText: 'five' }).waitFor()
  const contents = (await contentsOf(ana, channel)).map(([, content]) => content)
  expect([contents[0], contents.at(-1)]).toEqual(['One\ntwo', 'Four\nfive'])
})

test('formats come by keys and buttons, and the browser undoes them', async () => {
  const { org, ana, topic } = await scene()
  const { page, box } = await opened(org, ana, topic)
  await box.pressSequentially('a word')
  await box.press('Control+Shift+ArrowLeft')
  const text = () => box.inputValue()
  await box.press('Control+b')
  await expect.poll(text).toBe('a **word**')
  await box.press('Control+z')
  await expect.poll(text).toBe('a word')
  await page.getByRole('button', { name: 'Italic' }).click()
  await expect.poll(text).toBe('a *word*')
  await page.keyboard.press('Alt+p')
  await page.locator('.compose-preview em', { hasText: 'word' }).waitFor()
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect.poll(text).toBe('a *word*')
  await page.keyboard.press('Alt+p')
  await page.locator('.compose-preview em', { hasText: 'word' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.locator('article.row:not(.outgoing) em', { hasText: 'word' }).waitFor()
  await expect.poll(text).toBe('')
})

test('the preview of a poll and of tasks shows what will be sent', async () => {
  const { org, ana, topic } = await scene()
  const { page, box } = await opened(org, ana, topic)
  await box.fill('/poll What shall we eat?\n* Ramen\n- Pizza')
  await page.keyboard.press('Alt+p')
  const preview = page.locator('.compose-preview')
  await preview.getByRole('heading', { name: 'What shall we eat?' }).waitFor()
  await expect.poll(() => preview.locator('.vote-text').allInnerTexts()).toEqual(['Ramen', 'Pizza'])
  expect(await preview.locator('button:enabled, input:enabled').count()).toBe(0)
  await page.keyboard.press('Alt+p')
  await box.fill('/todo For the trip\nTickets: two')
  await page.keyboard.press('Alt+p')
  await preview.getByRole('heading', { name: 'For the trip' }).waitFor()
  await preview.getByText('Tickets two').waitFor()
})

test('rich text is pasted as Markdown', async () => {
  const { org, ana, topic } = await scene()
  const { page, box } = await opened(org, ana, topic)
  await box.focus()
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    data.setData('text/html', '<p>See <b>this</b> and <a href="https://example.com/">that</a></p>')
    data.setData('text/plain', 'See this and that')
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })()`)
  await expect.poll(() => box.inputValue()).toBe('See **this** and [that](https://example.com/)')
})

test('people, channels, topics, emoji and times are completed by keyboard', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(bo, channel)('Dark theme', 'Look')
  const { page, box, problems } = await opened(org, ana, topic)
  const complete = async (typed: string, label: string, key = 'Enter') => {
    await box.pressSequentially(typed)
    await page.getByRole('option', { name: label }).first().waitFor()
    await box.press(key)
    await page.getByRole('option').first().waitFor({ state: 'detached' })
  }
  await complete('@bo', 'Bo Lind')
  await complete('@_Ana', 'Ana Ruiz', 'Tab')
  await complete('#des', 'design')
  await box.pressSequentially('#des')
  await page.getByRole('option', { name: 'design' }).waitFor()
  await box.press('>')
  await page.getByRole('option', { name: 'Dark theme' }).waitFor()
  await box.press('Enter')
  await complete(':tada', ':tada:')
  expect(await box.inputValue()).toBe(
    '@**Bo Lind** @_**Ana Ruiz** #**design** #**design>Dark theme** :tada: ',
  )
  await complete('<time:tomorrow', 'Tomorrow morning')
  expect(await box.inputValue()).toMatch(/<time:\d{4}-\d\d-\d\dT09:00:00[+-]\d\d:\d\d> $/)
  await box.pressSequentially('@bo')
  await page.getByRole('option', { name: 'Bo Lind' }).waitFor()
  await box.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
  expect(await box.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  expect(problems).toEqual([])
})

test('a key takes what fits the text, however fast it comes', async () => {
  const { org, ana, topic } = await scene()
  await org.channel({ name: 'a first one', subscribers: [ana] })
  const { page, box } = await opened(org, ana, topic)
  await box.pressSequentially('#')
  await page.getByRole('option', { name: 'a first one' }).waitFor()
  const written = await box.evaluate((element) => {
    const { ownerDocument: page } = element
    page.execCommand('insertText', false, '**design')
    const { KeyboardEvent } = page.defaultView!
    element.dispatchEvent(new KeyboardEvent('keydown', { key: '>', bubbles: true, cancelable: true }))
    return (element as unknown as { value: string }).value
  })
  expect(written).toBe('#**design>')
})

test('a topic can still be named behind a channel that was completed', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(bo, channel)('Icons', 'Round?')
  const { page, box } = await opened(org, ana, topic)
  await box.pressSequentially('see #desi')
  await page.getByRole('option', { name: /design/ }).click()
  await expect.poll(() => box.inputValue()).toBe('see #**design** ')
  await page.keyboard.type('>Ic')
  await page.getByRole('option', { name: /Icons/ }).click()
  await expect.poll(() => box.inputValue()).toBe('see #**design>Icons** ')
})

/** Begins a direct message by the key, and addresses it to Bo. */
async function beginToBo(page: Page) {
  await page.keyboard.press('x')
  await page.getByRole('combobox', { name: 'Add people' }).fill('bo')
  await page.getByRole('option', { name: /Bo Lind/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.pill', { hasText: 'Bo Lind' }).waitFor()
}

test('a new topic and a new direct message are begun from every view', async () => {
  const { org, ana, bo, channel } = await scene()
  const { page, problems } = await browser.open(org, ana, `#narrow/channel/${channel.id}`)
  await page.getByRole('combobox', { name: 'Topic' }).fill('Icons')
  await page.getByRole('combobox', { name: 'Topic' }).press('Enter')
  await page.keyboard.type('New set')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: /Icons/ }).waitFor()
  await page.locator('article.row:not(.outgoing)', { hasText: 'New set' }).waitFor()
  await page.goto(page.url().replace(/#.*/, '#inbox'))
  await page.locator('#main').focus()
  await beginToBo(page)
  await page.keyboard.press('Enter')
  await page.keyboard.type('Hello Bo')
  await page.keyboard.press('Control+Enter')
  await page.locator('article.row:not(.outgoing)', { hasText: 'Hello Bo' }).waitFor()
  const { body } = await bo.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  expect(body.messages[0]).toMatchObject({ type: 'private', sender_id: ana.id })
  expect(problems).toEqual([])
})

test('Tab leads from the address of a new conversation to its text', async () => {
  const { org, ana, bo } = await scene()
  const { page } = await browser.open(org, ana)
  const text = page.locator('.begin-box textarea')
  await beginToBo(page)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Hello Bo, no news')
  expect(await text.inputValue()).toBe('Hello Bo, no news')
  // The last of the box is what closes it.
  await page.getByRole('button', { name: 'Schedule and settings' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await text.waitFor({ state: 'detached' })
  await page.goto(`${page.url().replace(/#.*/, '')}#narrow/dm/${bo.id}`)
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('Hello Bo, no news')
})

test('files stand in the text while they are sent, and then their links', async () => {
  const { org, ana, channel, topic } = await scene()
  const { page, box } = await opened(org, ana, topic)
  await box.fill('Two files:')
  const held: (() => void)[] = []
  await page.route('**/json/user_uploads', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve))
    // One of them is canceled meanwhile.
    await route.continue().catch(() => {})
  })
  await page.locator('input[type=file]').setInputFiles([
    { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('one') },
    { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('two') },
  ])
  await expect.poll(() => box.inputValue()).toContain('[Uploading one.txt …]()\n[Uploading two.txt …]()')
  await page.getByRole('button', { name: 'Cancel the upload: two.txt' }).click()
  await expect.poll(() => box.inputValue()).not.toContain('two.txt')
  await box.and(page.locator(':focus')).waitFor()
  await box.press('Control+Enter')
  await page.getByRole('button', { name: 'Uploading …' }).waitFor()
  for (const go of held) go()
  await page.locator('article.row a', { hasText: 'one.txt' }).waitFor()
  expect((await contentsOf(ana, channel)).map(([, content]) => content)).toEqual([
    expect.stringMatching(/^Two files:\n\[one\.txt\]\(\/user_uploads\/\S+\)$/),
  ])
})
