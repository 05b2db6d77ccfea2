import { expect, test } from 'vitest'
import { webBrowser, webUser } from '../../browser/chromium.ts'
import { changeRealm } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

async function scene(settings: Parameters<typeof changeRealm>[1] = {}) {
  const org = await organization()
  await changeRealm(org, settings)
  const ana = await webUser(org, 'Ana Ruiz')
  const channel = await org.channel({ name: 'design', subscribers: [ana] })
  const opened = await browser.open(org, ana, `#narrow/channel/${channel.id}`)
  const { page, url } = opened
  const box = page.locator('.composer textarea')
  await box.waitFor()
  const goTo = async (hash: string, title: RegExp) => {
    await page.goto(`${url}#narrow/channel/${channel.id}${hash}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await box.waitFor()
  }
  const onServer = async () =>
    (await ana.get('/drafts')).body.drafts.map((one: { content: string }) => one.content).sort()
  return { ...opened, ana, box, goTo, onServer }
}

/** The title of the channel, without a topic. */
const alone = /^\W*design\W*$/

test('a text without a topic and one for the topic without a name have a place each', async () => {
  const { page, url, box, goTo, onServer } = await scene()
  await box.fill('Its topic comes later')
  await goTo('/topic/', /general chat/)
  await expect.poll(() => box.inputValue()).toBe('')
  await box.fill('For general chat')
  await expect.poll(onServer).toEqual(['For general chat', 'Its topic comes later'])
  await page.reload()
  await expect.poll(() => box.inputValue()).toBe('For general chat')
  await goTo('', alone)
  await expect.poll(() => box.inputValue()).toBe('Its topic comes later')
  await page.goto(`${url}#drafts`)
  await page.getByRole('button', { name: 'Continue writing: #design', exact: true }).click()
  await expect.poll(() => box.inputValue()).toBe('Its topic comes later')
  await page.goto(`${url}#drafts`)
  await page.getByRole('button', { name: 'Continue writing: #design › general chat' }).click()
  await page.getByRole('heading', { level: 1, name: /general chat/ }).waitFor()
  await expect.poll(() => box.inputValue()).toBe('For general chat')
  await box.press('Control+Enter')
  await page.locator('article', { hasText: 'For general chat' }).waitFor()
  await expect.poll(onServer).toEqual(['Its topic comes later'])
})

test('choosing another topic leaves the draft of the first one where it was', async () => {
  const { page, box, goTo, onServer } = await scene()
  await goTo('/topic/Icons', /Icons/)
  await box.fill('About icons')
  await goTo('', alone)
  await box.fill('New text')
  const topic = page.getByRole('combobox', { name: 'Topic' })
  await topic.fill('Icons')
  await topic.blur()
  await expect.poll(() => box.inputValue()).toBe('About icons\n\nNew text')
  await topic.fill('Logos')
  await topic.blur()
  await expect.poll(() => box.inputValue()).toBe('New text')
  await expect.poll(onServer).toEqual(['About icons', 'New text'])
  await goTo('/topic/Icons', /Icons/)
  await expect.poll(() => box.inputValue()).toBe('About icons')
})

test('where messages need a topic, a draft without one waits for it', async () => {
  const { page, ana, url } = await scene({ topics_policy: 'disable_empty_topic' })
  const [{ stream_id }] = (await ana.get('/users/me/subscriptions')).body.subscriptions
  const draft = {
    type: 'stream',
    to: [stream_id],
    topic: '',
    content: 'From elsewhere',
    timestamp: 1_700_000_000,
  }
  await ana.post('/drafts', { drafts: [draft] })
  await page.goto(`${url}#drafts`)
  const row = page.getByRole('listitem').filter({ hasText: 'From elsewhere' })
  expect(await row.getByRole('button', { name: 'Send now' }).isDisabled()).toBe(true)
  await row.getByRole('button', { name: 'Continue writing: #design', exact: true }).click()
  await expect.poll(() => page.locator('.composer textarea').inputValue()).toBe('From elsewhere')
})

test('a text that has a topic and no channel yet is named as new, and written on from the drafts', async () => {
  const { org, ana } = await twoPeople(organization)
  const { page, url } = await browser.open(org, ana, '#inbox')
  await page.locator('#main').focus()
  await page.keyboard.press('c')
  await page.getByRole('combobox', { name: 'Topic' }).fill('Launch')
  await page.getByRole('textbox', { name: 'New message' }).fill('On Friday')
  await page.goto(`${url}#drafts`)
  await page.getByRole('button', { name: 'Continue writing: No recipients yet' }).click()
  await expect.poll(() => page.getByRole('combobox', { name: 'Topic' }).inputValue()).toBe('Launch')
  expect(await page.getByRole('textbox', { name: 'New message' }).inputValue()).toBe('On Friday')
})
