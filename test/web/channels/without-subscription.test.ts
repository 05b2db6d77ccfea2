import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { threePeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

test.each([
  ['topic', '/topic/Icons'],
  ['channel', ''],
])('messages of others appear in an open %s of a channel without a subscription', async (_, path) => {
  const { org, bo, cy, channel, hash } = await threePeople(organization)
  const say = sender(bo, channel)
  await say('Icons', 'Too round')
  const { page } = await browser.open(org, cy, hash + path)
  await page.clock.install()
  await page.reload()
  await page.getByText('Too round').waitFor()
  const id = await say('Icons', 'Or too thin')
  await page.clock.runFor(11_000)
  await page.getByText('Or too thin').waitFor()
  await bo.patch(`/messages/${id}`, { content: 'Just right' })
  await page.clock.runFor(61_000)
  await page.getByText('Just right').waitFor()
  expect(await page.getByText('Or too thin').count()).toBe(0)
})

test('a view of a channel without a subscription reads what is new when its window gets the focus', async () => {
  const { org, bo, cy, channel, hash } = await threePeople(organization)
  const say = sender(bo, channel)
  await say('Icons', 'Too round')
  const { page } = await browser.open(org, cy, `${hash}/topic/Icons`)
  await page.getByText('Too round').waitFor()
  await page.getByText('not subscribed').waitFor()
  await say('Icons', 'Or too thin')
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await page.getByText('Or too thin').waitFor()
})
