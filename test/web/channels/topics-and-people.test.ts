import { expect, test } from 'vitest'
import { webBrowser } from '../../browser/chromium.ts'
import { sender } from '../../messages.ts'
import { sharedServer } from '../../test-server.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'
import { twoPeople } from '../two-people.ts'

const { organization } = sharedServer()
const browser = webBrowser()

const scene = () => twoPeople(organization)

test('a topic is resolved, and the view of the other goes along', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(ana, channel)('Dark theme', 'Done?')
  const mine = await browser.open(org, ana, topic('Dark theme'))
  const other = await browser.open(org, bo, topic('Dark theme'))
  await letCompare(other.page)
  await other.page.getByText('Done?').waitFor()
  await mine.page.getByText('Done?').waitFor()
  await mine.page.getByRole('button', { name: 'Topic actions' }).click()
  await mine.page.getByRole('menuitem', { name: 'Mark as resolved' }).click()
  for (const { page } of [mine, other])
    await page.getByRole('heading', { level: 1, name: /✔ Dark theme/ }).waitFor()
  await other.page.getByText('Done?').waitFor()
  await expectStateToMatch(other.page)
})

test('a topic is followed and muted by its menu and by key, with an undo', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await sender(bo, channel)('Dark theme', 'Look')
  const { page } = await browser.open(org, ana, topic('Dark theme'))
  await letCompare(page)
  await page.getByText('Look').waitFor()
  const choice = async (name: string) => {
    await page.getByRole('button', { name: 'Topic actions' }).click()
    return page.getByRole('menuitemradio', { name })
  }
  await (await choice('Followed')).click()
  await expect.poll(async () => (await ana.register()).state.user_topics.length).toBe(1)
  // A menu shows what the page knew when it was opened.
  await expectStateToMatch(page)
  expect(await (await choice('Followed')).getAttribute('aria-checked')).toBe('true')
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+M')
  await page.getByText('Topic muted.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await ana.register()).state.user_topics[0]?.visibility_policy ?? 0)
    .not.toBe(1)
  await expectStateToMatch(page)
})

test('the address of a user opens their card over the view', async () => {
  const { org, ana, bo, topic, say } = await scene()
  await say('Dark theme', 'See [Bo](#user/999) or <time:2031-01-01T22:30:00Z>')
  const { page, url } = await browser.open(org, ana, `#user/${bo.id}`)
  const card = (name: string) => page.getByRole('dialog', { name })
  await card('Bo Lind').getByText('bo.lind@example.com').waitFor()
  await page.keyboard.press('Escape')
  await card('Bo Lind').waitFor({ state: 'detached' })
  await page.goto(`${url}#user/${bo.id}`)
  await card('Bo Lind').waitFor()
  await page.goto(`${url}#recent`)
  await card('Bo Lind').waitFor({ state: 'detached' })
  await page.goto(`${url}#inbox`)
  // The inbox lies below. What others wrote shows times as they are here.
  await page.locator('.inbox-row', { hasText: /Jan 1, 2031|Jan 2, 2031/ }).waitFor()
  await page.goto(url + topic('Dark theme'))
  await page.locator('article').getByRole('link', { name: 'Bo' }).click()
  await card('Unknown user').waitFor()
  await page.keyboard.press('Escape')
  await card('Unknown user').waitFor({ state: 'detached' })
  expect(page.url()).toBe(url + topic('Dark theme'))
  await page.getByRole('heading', { level: 1, name: /Dark theme/ }).waitFor()
})

test('the address of a user opens their card also for those who begin with another view', async () => {
  const { org, ana, bo } = await scene()
  await ana.patch('/settings', { web_home_view: 'recent_topics' })
  const { page, url } = await browser.open(org, ana)
  await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor()
  await page.goto('about:blank')
  await page.goto(`${url}#user/${bo.id}`)
  await page.getByRole('dialog', { name: 'Bo Lind' }).waitFor()
  await bo.post('/messages', { type: 'direct', to: [ana.id], content: 'Are you there?' })
  // The client follows the server by then.
  await page.locator('.inbox-row', { hasText: 'Are you there?' }).waitFor()
  expect(await page.getByRole('dialog', { name: 'Bo Lind' }).isVisible()).toBe(true)
})

test('the card of a user says who they are, and leads to a direct message', async () => {
  const { org, ana, bo, channel, topic } = await scene()
  await bo.post('/users/me/status', { status_text: 'In a meeting' })
  await sender(bo, channel)('Dark theme', 'Hello')
  const { page, problems } = await browser.open(org, ana, topic('Dark theme'))
  // Messages are shown before the state of the organization has come; the box to write is shown with it.
  await page.getByRole('textbox', { name: /Dark theme/ }).waitFor()
  await page.locator('button.sender', { hasText: 'Bo Lind' }).click()
  const card = page.getByRole('dialog', { name: 'Bo Lind' })
  await card.getByText('In a meeting').waitFor()
  await card.getByText('bo.lind@example.com').waitFor()
  await page.keyboard.press('Escape')
  await card.waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await page.keyboard.press('u')
  await card.getByRole('button', { name: 'Message', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Bo Lind' }).waitFor()
  await expect.poll(() => page.evaluate<string>('document.activeElement?.tagName')).toBe('TEXTAREA')
  expect(problems.filter((text) => !text.startsWith('Loading the image'))).toEqual([])
})

test('members of a channel are listed, and one has a card', async () => {
  const { org, ana, channel } = await scene()
  const { page } = await browser.open(org, ana, `#narrow/channel/${channel.id}-design`)
  await page.getByRole('button', { name: 'Channel actions' }).click()
  await page.getByRole('menuitem', { name: 'Members' }).click()
  const members = page.getByRole('dialog', { name: 'Members of #design' })
  await members.getByRole('button', { name: 'Bo Lind' }).click()
  await page.getByRole('dialog', { name: 'Bo Lind' }).getByText('bo.lind@example.com').waitFor()
})

test('the own status is set with an emoji', async () => {
  const { org, ana } = await scene()
  const { page } = await browser.open(org, ana, '#inbox')
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Your status' }).click()
  await page.getByRole('textbox', { name: 'What is your status?' }).fill('Writing')
  await page.getByRole('button', { name: 'Choose an emoji' }).click()
  await page.getByRole('combobox', { name: 'Find an emoji' }).fill('octopus')
  await page.getByRole('option', { name: 'octopus' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog', { name: 'Your status' }).waitFor({ state: 'detached' })
  expect((await ana.register()).state.user_status[ana.id]).toMatchObject({
    status_text: 'Writing',
    emoji_name: 'octopus',
  })
})

test('a jump by a part of the name, by keyboard alone', async () => {
  const { org, ana, bo, channel } = await scene()
  await sender(bo, channel)('Dark theme', 'Hello')
  const { page } = await browser.open(org, ana, '#inbox')
  await page.locator('.inbox-row', { hasText: 'Dark theme' }).waitFor()
  for (const [key, typed, title] of [
    ['Control+k', 'dark', /Dark theme/],
    ['w', 'lind', /Bo Lind/],
    ['q', 'des', /design/],
  ] as const) {
    await page.keyboard.press(key)
    await page.locator('dialog [role=combobox]:focus').waitFor()
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
})
