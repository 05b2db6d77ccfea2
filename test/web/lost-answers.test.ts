import { expect, test } from 'vitest'
import { webBrowser } from '../chromium.ts'
import { contentsOf } from '../messages.ts'
import { sharedServer } from '../test-server.ts'
import { loseAnswer } from './lose-answer.ts'
import { twoPeople } from './two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

/** Ana has a message that goes out tomorrow, and looks at what she has not sent. */
async function scheduled() {
  const made = await twoPeople(organization)
  const at = Math.floor(Date.now() / 1000) + 86_400
  const message = { type: 'channel', to: made.channel.id, topic: 'Icons', content: 'Good morning' }
  await made.ana.post('/scheduled_messages', { ...message, scheduled_delivery_timestamp: at })
  const opened = await browser.open(made.org, made.ana, '#drafts')
  await loseAnswer(opened.page, 'DELETE', /\/scheduled_messages\/\d+$/)
  const left = async () => (await made.ana.get('/scheduled_messages')).body.scheduled_messages
  return { ...made, ...opened, left }
}

test('a scheduled message is written on although the answer was lost that it is cancelled', async () => {
  const { page, left } = await scheduled()
  await page.getByRole('button', { name: /^Continue writing: #design/ }).click()
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('Good morning')
  expect(await left()).toEqual([])
})

test('a scheduled message is sent now although the answer was lost that it is cancelled', async () => {
  const { page, ana, channel, left } = await scheduled()
  await page.getByRole('button', { name: /^Send now: #design/ }).click()
  await expect.poll(() => contentsOf(ana, channel)).toEqual([['Icons', 'Good morning']])
  expect(await left()).toEqual([])
})
