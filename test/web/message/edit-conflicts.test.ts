import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { contentsOf, sender } from '../../messages.ts'
import { publicHost, secureHost, testServer } from '../../test-server.ts'
import { openEditBox } from '../edit-box.ts'
import { loseAnswer } from '../lose-answer.ts'
import { twoPeople } from '../two-people.ts'

// Browsers hash the text that an edit changes only on secure pages.
const servers = {
  'a secure page': testServer({ host: secureHost }),
  'a page that is not': testServer({ host: publicHost }),
}
type Page = keyof typeof servers

const browser = webBrowser()

/** Ana edits a message of hers. */
async function scene(kind: Page = 'a secure page') {
  const made = await twoPeople(servers[kind].organization)
  const id = await sender(made.ana, made.channel)('Icons', 'They are round')
  const { page } = await browser.open(made.org, made.ana, made.topic('Icons'))
  const area = await openEditBox(page, id)
  await area.fill('They are very round')
  return { ...made, id, page, area }
}

test.each(Object.keys(servers) as Page[])(
  'on %s, an edit does not replace one that was made elsewhere, unless the user says so',
  async (kind) => {
    const { ana, channel, id, page, area } = await scene(kind)
    await ana.patch(`/messages/${id}`, { content: 'They are oval' })
    await page.getByText('Edited').waitFor()
    await area.press('Escape')
    await page.getByText('They are oval').waitFor()
    await page.keyboard.press('e')
    await area.and(page.locator(':focus')).waitFor()
    expect(await area.inputValue()).toBe('They are very round')
    await area.press('Control+Enter')
    await page.getByText(/The message has changed meanwhile/).waitFor()
    expect(await contentsOf(ana, channel)).toEqual([['Icons', 'They are oval']])
    await area.press('Control+Enter')
    await area.waitFor({ state: 'detached' })
    expect(await contentsOf(ana, channel)).toEqual([['Icons', 'They are very round']])
  },
)

test('the text of an edit becomes a draft when the message is deleted', async () => {
  const { org, id, page } = await scene()
  await org.owner.delete(`/messages/${id}`)
  await page.getByText('The message was deleted. Your text is a draft now.').waitFor()
  expect(await page.locator('.composer textarea').inputValue()).toBe('They are very round')
})

test('an edit whose answer was lost is saved when the user tries again', async () => {
  const { page, area, ana, channel } = await scene()
  await loseAnswer(page, 'PATCH', /\/messages\/\d+$/)
  await area.press('Control+Enter')
  await page.getByText('The server cannot be reached.').waitFor()
  await area.press('Control+Enter')
  await area.waitFor({ state: 'detached' })
  expect(await page.getByText('The message has changed meanwhile').count()).toBe(0)
  expect(await contentsOf(ana, channel)).toEqual([['Icons', 'They are very round']])
})
