import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test('what calls for the user stands out, the open topic is listed, and feeds do not repeat their channel', async () => {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const design = await org.channel({ name: 'design', creator: ana, subscribers: [ana, bo] })
  const support = await org.channel({ name: 'support', creator: ana, subscribers: [ana, bo] })
  await sender(bo, design)('Icons', 'To be read some time')
  await sender(bo, support)('Password', `Please look, @**${ana.name}**`)
  const { page } = await browser.open(org, ana, '#inbox')
  const rail = (name: string) => page.locator('.rail-item', { hasText: name })
  await rail('support').locator('.count:not(.calm)').waitFor()
  await rail('design').locator('.count.calm').waitFor()
  const row = (name: string) => page.locator('.inbox-row', { hasText: name })
  await row('Password').locator('.count:not(.calm)').waitFor()
  await row('Icons').locator('.count.calm').waitFor()

  // Read or not, the topic in view is in the list.
  await page.goto(page.url().replace(/#.*/, `#narrow/channel/${design.id}-design/topic/Icons`))
  await page.getByText('To be read some time').waitFor()
  await rail('design').locator('.count').waitFor({ state: 'detached' })
  await page.locator('.rail-topics [aria-current=page]', { hasText: 'Icons' }).waitFor()

  await page.goto(page.url().replace(/#.*/, `#narrow/channel/${design.id}-design`))
  const bar = page.locator('.conversation-bar', { hasText: 'Icons' })
  await bar.waitFor()
  expect(await bar.innerText()).toBe('Icons')
  await page.goto(page.url().replace(/#.*/, '#feed'))
  await page.locator('.conversation-bar', { hasText: 'design' }).first().waitFor()
})

test('a mention in a muted topic is in the inbox, as the title counts it, and the rest of muted topics is not', async () => {
  const { org, ana, channel, say } = await twoPeople(organization)
  await ana.post('/mark_all_as_read')
  for (const name of ['Icons', 'Shapes'])
    await ana.post('/user_topics', { stream_id: channel.id, topic: name, visibility_policy: 1 })
  await say('Shapes', 'Are these too round?')
  await say('Icons', 'Look, @**Ana Ruiz**!')
  const { page } = await browser.open(org, ana, '#inbox')
  await page.locator('.inbox-row', { hasText: 'Icons' }).waitFor()
  expect(await page.title()).toMatch(/^\(1\) /)
  expect(await page.locator('.inbox-row').count()).toBe(1)
})

test.each([
  ['#narrow/is/starred', 'Star a message to find it here again.'],
  ['#narrow/is/mentioned', 'Messages that mention you appear here.'],
])('an empty view says what comes there: %s', async (hash, text) => {
  const org = await organization()
  const { page } = await browser.open(org, await webUser(org, 'Ana Ruiz'), hash)
  await page.getByText(text).waitFor()
})
