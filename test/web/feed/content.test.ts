import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { messageIn } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('what a message says stays open and selected while its flags, reactions and settings change', async () => {
  const { org, ana, bo, channel, say } = await twoPeople(organization)
  const id = await say('Plans', 'A plan\n\n```spoiler Where\nTo the islands\n```')
  const { page } = await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/Plans`)
  const row = page.locator('article', { hasText: 'A plan' })
  await row.locator('.spoiler-header').click()
  await row.getByText('A plan').selectText()
  const opened = () => row.getByText('To the islands').isVisible()
  const selected = () => page.evaluate<string>('String(getSelection())')
  const expectSame = async () => expect([await opened(), await selected()]).toEqual([true, 'A plan'])
  await expectSame()

  await bo.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await row.locator('.reactions').getByText('🎉').waitFor()
  await expectSame()
  // The client may still be about to mark it as read.
  await expect.poll(async () => (await messageIn(ana, id)).flags).toContain('read')
  await ana.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' })
  await page.locator('article.unread', { hasText: 'A plan' }).waitFor()
  await expectSame()
  await ana.patch('/settings', { starred_message_counts: false, web_font_size_px: 18 })
  await expect.poll(() => page.evaluate('getComputedStyle(document.documentElement).fontSize')).toBe('18px')
  await expectSame()

  await bo.patch(`/messages/${id}`, { content: 'Another plan' })
  await page.locator('article', { hasText: 'Another plan' }).waitFor()
})

test('a message that begins with /me tells what its sender does, also as a result of a search', async () => {
  const { org, ana, bo, channel, say } = await twoPeople(organization)
  await say('Plans', '/me waves at *all*')
  await say('Plans', 'Type /me and what you do')
  const { page, url } = await browser.open(org, ana, `#narrow/channel/${channel.id}/topic/Plans`)
  const contents = () => page.locator('article .content').allInnerTexts()
  await expect.poll(contents).toEqual(['Bo Lind waves at all', 'Type /me and what you do'])
  await page.goto(`${url}#narrow/search/waves`)
  await expect.poll(contents).toEqual(['Bo Lind waves at all'])
  expect((await bo.patch('/settings', { full_name: 'Bo & Lind' })).status).toBe(200)
  await expect.poll(contents).toEqual(['Bo & Lind waves at all'])
  expect(await page.locator('article').getAttribute('aria-label')).toContain('Bo & Lind waves at all')
  await bo.post('/messages', { type: 'direct', to: [ana.id], content: '/me nods' })
  await page.goto(`${url}#inbox`)
  await page.locator('.inbox-preview', { hasText: 'Bo & Lind nods' }).waitFor()
})

test('a formula in a line that is wider than the message is scrolled, and a small one stands on the line', async () => {
  const { org, ana, say, topic } = await twoPeople(organization)
  const wide = `${'a + '.repeat(80)}b`
  await say('Sums', `Base $$x$$ and $$${wide}$$ end.\n\n\`\`\`math\n${wide}\n\`\`\``)
  const { page } = await browser.open(org, ana, topic('Sums'))
  const formulas = page.locator('article .katex')
  await formulas.nth(2).waitFor()
  // How far the end of a formula stays beyond the edge of the message.
  const beyond = await page.evaluate<
    number[]
  >(`[...document.querySelectorAll('article .katex')].map((formula) => {
    const scrolled = formula.closest('.katex-display') ?? formula
    scrolled.scrollLeft = 1e6
    const [end, edge] = [[...formula.querySelectorAll('mi')].at(-1), formula.closest('.content')]
    return end.getBoundingClientRect().right - edge.getBoundingClientRect().right
  })`)
  expect(beyond).toHaveLength(3)
  expect(Math.max(...beyond)).toBeLessThan(1)
  const [text = 0, letter = 100] = await page.evaluate<number[]>(`['p', 'mi'].map((one) => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector('article .content ' + one).firstChild)
    return range.getBoundingClientRect().bottom
  })`)
  expect(Math.abs(text - letter)).toBeLessThan(4)
})
