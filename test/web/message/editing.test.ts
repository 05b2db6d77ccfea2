import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { contentsOf, sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { openEditBox } from '../edit-box.ts'
import { twoPeople } from '../two-people.ts'

// A message is changed with the same help as it was written.

const { organization } = sharedServer()
const browser = webBrowser()

/** Ana edits a message of hers, the last of as many as are asked for. */
async function scene(messages = 1) {
  const made = await twoPeople(organization)
  const say = sender(made.ana, made.channel)
  for (let i = 1; i < messages; i++) await say('Icons', `Message ${i}`)
  const id = await say('Icons', 'They are round')
  const { page, problems } = await browser.open(made.org, made.ana, made.topic('Icons'))
  const area = await openEditBox(page, id)
  return { ...made, id, page, problems, area }
}

// The list has its place below the text of a first message, and above that of a last one.
test.each([1, 40])('a person is mentioned in message %i of a topic while it is changed', async (messages) => {
  const { page, problems, area, ana, bo, channel, id } = await scene(messages)
  await page.keyboard.type(', @bo')
  const bos = page.getByRole('option', { name: /Bo Lind/ })
  await bos.waitFor()
  await page.keyboard.press('Escape')
  await bos.waitFor({ state: 'detached' })
  expect(await area.inputValue()).toBe('They are round, @bo')
  await page.keyboard.type(' and @b')
  await bos.click()
  await page.keyboard.type('know')
  await expect.poll(() => area.inputValue()).toBe('They are round, @bo and @**Bo Lind** know')
  await area.press('Control+Enter')
  await area.waitFor({ state: 'detached' })
  const saved = await contentsOf(ana, channel)
  expect(saved).toContainEqual(['Icons', 'They are round, @bo and @**Bo Lind** know'])
  const { body } = await bo.get(`/messages/${id}`)
  expect(body.message.flags).toContain('mentioned')
  expect(problems).toEqual([])
})

test('formats come by keys, and lists go on, while a message is changed', async () => {
  const { page, area } = await scene()
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('Control+b')
  await expect.poll(() => area.inputValue()).toBe('**They are round**')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('* one')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  expect(await area.inputValue()).toBe('**They are round**\n* one\n* two')
})

const pasteFile = (page: Page) =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    data.items.add(new File(['hello'], 'notes.txt', { type: 'text/plain' }))
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })()`)

test('a file is pasted into a message that is changed, and saving waits for it', async () => {
  const { page, area, ana, channel } = await scene()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/json/user_uploads', async (route) => {
    await held
    await route.continue()
  })
  await pasteFile(page)
  await expect.poll(() => area.inputValue()).toContain('[Uploading notes.txt')
  await area.press('Control+Enter')
  expect(await contentsOf(ana, channel)).toEqual([['Icons', 'They are round']])
  release()
  await area.waitFor({ state: 'detached' })
  const [[, saved] = []] = await contentsOf(ana, channel)
  expect(saved).toMatch(/^They are round\n\[notes\.txt\]\(\/user_uploads\/\S+\)$/)
})

test('files that are dropped on a message while it is changed belong to it, and others to the box below', async () => {
  const { page, area } = await scene()
  const composer = page.locator('.composer textarea')
  await composer.waitFor()
  const drag = (selector: string, name: string, ...types: string[]) =>
    page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['round'], '${name}', { type: 'text/plain' }))
      for (const type of ${JSON.stringify(types)}) {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
        document.querySelector('${selector}').dispatchEvent(event)
      }
    })()`)
  const target = page.locator('.drop-target')
  await drag('.message-rows', 'icons.txt', 'dragenter')
  expect(await target.getAttribute('id')).toBe('main')
  // Browsers name the element that is entered before the one that is left.
  await drag('.edit-box textarea', 'icons.txt', 'dragenter')
  await drag('.message-rows', 'icons.txt', 'dragleave')
  expect(await target.getAttribute('class')).toContain('edit-box')
  await drag('.edit-box textarea', 'icons.txt', 'dragover', 'drop')
  await expect
    .poll(() => area.inputValue())
    .toMatch(/^They are round\n\[icons\.txt\]\(\/user_uploads\/\S+\)\s*$/)
  expect(await target.count()).toBe(0)
  expect(await composer.inputValue()).toBe('')
  await drag('.message-rows', 'shapes.txt', 'dragenter', 'dragover', 'drop')
  await expect.poll(() => composer.inputValue()).toMatch(/^\[shapes\.txt\]\(\/user_uploads\/\S+\)\s*$/)
  expect(await area.inputValue()).not.toContain('shapes')
})

test('a file that is on its way when the box is closed leaves nothing in the text', async () => {
  const { page, area } = await scene()
  await page.route('**/json/user_uploads', () => {})
  await page.keyboard.type(' now')
  await pasteFile(page)
  await expect.poll(() => area.inputValue()).toContain('[Uploading notes.txt')
  await area.press('Escape')
  await area.waitFor({ state: 'detached' })
  await page.keyboard.press('e')
  await area.and(page.locator(':focus')).waitFor()
  expect((await area.inputValue()).trimEnd()).toBe('They are round now')
})

test('the time in which a new message can be changed is never longer than what the organization allows', async () => {
  const { page, area, ana, channel } = await scene()
  await page.keyboard.press('Escape')
  await area.waitFor({ state: 'detached' })
  // The clock of the page is behind by then.
  await page.waitForTimeout(2000)
  await openEditBox(page, await sender(ana, channel)('Icons', 'They are square'))
  await page.locator('.edit-box').getByText('10 min left').waitFor()
})
