import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

let page: Page

beforeAll(async () => {
  const { org, ana, bo, channel } = await twoPeople(organization)
  await sender(bo, channel)('Icons', 'Some **bold** and `code`')
  await sender(ana, channel)('Icons', '* one\n* two\n\n```js\nlet a = 1\n```')
  await sender(bo, channel)('Icons', '```python\nif a:\n    b = 1\n```\nhttps://example.com/a_b')
  page = (await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/Icons`)).page
  await page.locator('article').nth(2).waitFor()
})

/** Returns the clipboard after these parts of the page have been copied. */
function copied(from: string, to: string) {
  return page.evaluate<{ text: string; html: string }>(`(() => {
    const range = document.createRange()
    range.setStartBefore(document.querySelector('${from}'))
    const ends = document.querySelectorAll('${to}')
    range.setEndAfter(ends[ends.length - 1])
    getSelection().removeAllRanges()
    getSelection().addRange(range)
    let found
    const note = ({ clipboardData }) => {
      found = { text: clipboardData.getData('text/plain'), html: clipboardData.getData('text/html') }
    }
    document.addEventListener('copy', note, { once: true })
    document.execCommand('copy')
    return found
  })()`)
}

test('messages are copied as Markdown, beside their HTML', async () => {
  await expect
    .poll(async () => (await copied('article .content', 'article:first-of-type .content')).text)
    .toBe('Some **bold** and `code`')
  const { text, html } = await copied('article', 'article')
  expect(text.replace(/^(\*\*.+\*\*) .+$/gm, '$1 at noon')).toBe(
    [
      '**Bo Lind** at noon\nSome **bold** and `code`',
      '**Ana Ruiz** at noon\n* one\n* two\n\n```javascript\nlet a = 1\n```',
      '**Bo Lind** at noon\n```python\nif a:\n    b = 1\n```\n\nhttps://example.com/a_b',
    ].join('\n\n'),
  )
  expect(html).toContain('<strong>bold</strong>')
})

test('links and code are copied on a page without https', async () => {
  const paste = async () => {
    const box = page.getByRole('textbox', { name: /Icons/ })
    await box.fill('')
    await page.keyboard.press('Control+v')
    return box.inputValue()
  }
  const last = page.locator('article').last()
  await last.hover()
  await last.getByRole('button', { name: 'Copy', exact: true }).click()
  await last.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await paste()).toBe('if a:\n    b = 1\n')
  await last.hover()
  await last.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await page.getByText('Link copied.').waitFor()
  expect(await paste()).toContain('/near/')
  await page.getByRole('textbox', { name: /Icons/ }).fill('')
})

test('a part of a code block is copied as it stands', async () => {
  await expect.poll(async () => (await copied('article', 'article')).text).toContain('**bold**')
  await page.evaluate(`(() => {
    getSelection().selectAllChildren([...document.querySelectorAll('article pre code')].at(-1))
  })()`)
  await page.keyboard.press('Control+c')
  await page.evaluate(`(() => {
    const field = document.createElement('textarea')
    document.body.append(field)
    field.focus()
  })()`)
  await page.keyboard.press('Control+v')
  const pasted = page.locator('body > textarea')
  await expect.poll(async () => (await pasted.inputValue()).trimEnd()).toBe('if a:\n    b = 1')
})

test('on paper, there is the conversation alone', async () => {
  await page.emulateMedia({ media: 'print' })
  for (const part of ['.rail', '.composer', '.view-head button']) {
    await expect.poll(() => page.locator(part).first().isVisible()).toBe(false)
  }
  expect(await page.getByText('Some bold').isVisible()).toBe(true)
  const scroller = page.locator('.message-scroller')
  const style = await scroller.evaluate((one) => {
    const { overflow, height } = one.ownerDocument.defaultView!.getComputedStyle(one)
    return { overflow, isWhole: Number.parseFloat(height) >= one.scrollHeight - 1 }
  })
  expect(style).toEqual({ overflow: 'visible', isWhole: true })
})
