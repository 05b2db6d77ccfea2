import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { viewports, webBrowser, webUser } from '../../browser/chromium.ts'
import { contentsOf, sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { holdRequests } from '../held-requests.ts'
import { expectStateToMatch, letCompare } from '../state-in-browser.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

/** A topic of five messages, by Ana and Bo in turn. The owner may move and delete all, Ana her own. */
async function scene() {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const boss = await webUser(org, 'Di Boss')
  await org.owner.patch(`/users/${boss.id}`, { role: 200 })
  const channel = await org.channel({ name: 'design', creator: boss, subscribers: [boss, ana, bo] })
  const ids: number[] = []
  for (const [index, text] of ['one', 'two', 'three', 'four', 'five'].entries()) {
    ids.push(await sender(index % 2 ? bo : ana, channel)('Owls', `Number ${text}`))
  }
  return { org, ana, bo, boss, channel, ids, hash: `#narrow/channel/${channel.id}-design/topic/Owls` }
}

const row = (page: Page, text: string) => page.locator('article.row', { hasText: `Number ${text}` })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected messages' })

/** Selects by mouse: the first with Ctrl, then with Shift all in between. */
async function selectThree(page: Page) {
  await row(page, 'two').click({ modifiers: ['Control'], position: { x: 200, y: 36 } })
  await bar(page).getByText('1 selected').waitFor()
  await row(page, 'four').click({ modifiers: ['Shift'], position: { x: 200, y: 36 } })
  await bar(page).getByText('3 selected').waitFor()
}

test.each(['wide', 'phone'] as const)(
  'several messages are moved, after a look at what moves (%s)',
  async (size) => {
    const { org, boss, bo, channel, hash } = await scene()
    const secret = await org.channel({
      name: 'secret',
      creator: boss,
      subscribers: [boss, bo],
      isPrivate: true,
      hasOpenHistory: true,
    })
    const { page } = await browser.open(org, boss, hash, { viewport: viewports[size] })
    const other = await browser.open(org, bo, hash)
    for (const one of [page, other.page]) await letCompare(one)
    await row(page, 'one').waitFor()
    await selectThree(page)
    await bar(page).getByRole('button', { name: 'Move' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move messages' })
    await dialog.getByText(/^3 messages by Bo Lind, Ana Ruiz, /).waitFor()
    await dialog.getByLabel('Channel').selectOption({ label: 'secret' })
    await dialog.getByText('#secret is private: only its 2 subscribers will be able to read them.').waitFor()
    await dialog.getByLabel('Topic').fill('Night owls')
    await dialog.getByText('They begin the topic “Night owls” in #secret.').waitFor()
    await dialog.getByRole('button', { name: 'Move' }).click()
    await page.getByText('3 messages moved.').waitFor()
    await bar(page).waitFor({ state: 'detached' })
    for (const one of [page, other.page]) await row(one, 'three').waitFor({ state: 'detached' })
    expect((await contentsOf(bo, secret)).map(([topic]) => topic)).toEqual(Array(3).fill('Night owls'))
    expect((await contentsOf(bo, channel)).length).toBe(2)
    for (const one of [page, other.page]) await expectStateToMatch(one)
  },
)

test('several messages are deleted, starred and copied by keyboard', async () => {
  const { org, bo, boss, channel, ids, hash } = await scene()
  const code = '```\nif owl:\n    hoot()\n```'
  await bo.patch(`/messages/${ids[1]}`, { content: `Number two\n\n${code}` })
  const { page, context } = await browser.open(org, boss, hash)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await row(page, 'five').waitFor()
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+X')
  await page.keyboard.press('j')
  await page.keyboard.press('Shift+X')
  await bar(page).getByText('2 selected').waitFor()
  await page.keyboard.press('Control+s')
  const starred = async () => (await boss.register()).state.starred_messages
  await expect.poll(starred).toEqual(ids.slice(0, 2))
  await bar(page).getByRole('button', { name: 'Copy' }).press('Enter')
  await page.getByText('2 messages copied.').waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  const [text, copiedCode] = copied.split(code)
  expect(text).toMatch(/^Ana Ruiz, .*\nNumber one\n\nBo Lind, .*\nNumber two\n\n$/)
  expect(copiedCode).toBe('')
  await bar(page).getByRole('button', { name: 'Delete' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete messages' })
  await dialog.getByText(/^2 messages by Ana Ruiz, Bo Lind/).waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
  await page.getByText('2 messages deleted.').waitFor()
  await row(page, 'one').waitFor({ state: 'detached' })
  expect((await contentsOf(boss, channel)).length).toBe(3)
  await bar(page).waitFor({ state: 'detached' })
})

test('what one may do with some of them only says so, and messages are forwarded together', async () => {
  const { org, ana, hash } = await scene()
  const { page } = await browser.open(org, ana, hash)
  await row(page, 'one').waitFor()
  await selectThree(page)
  const remove = bar(page).getByRole('button', { name: 'Delete' })
  expect(await remove.isDisabled()).toBe(true)
  expect(await remove.getAttribute('title')).toBe('You may do this with 1 of the 3 messages.')
  await bar(page).getByRole('button', { name: 'Forward' }).click()
  const to = page.getByRole('combobox', { name: 'Forward' })
  expect(await to.getAttribute('placeholder')).toBe('Channel, topic or person')
  await to.fill('bo lind')
  await page.keyboard.press('Enter')
  const box = page.locator('.composer textarea')
  await expect.poll(() => box.inputValue()).toMatch(/Number two.*Number three.*Number four/s)
  await bar(page).waitFor({ state: 'detached' })
})

test('the whole of a topic is moved, after a look at what moves', async () => {
  const { org, boss, hash } = await scene()
  const { page } = await browser.open(org, boss, hash)
  await row(page, 'one').waitFor()
  await page.getByRole('button', { name: 'Topic actions' }).click()
  await page.getByRole('menuitem', { name: 'Move the topic' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move the topic' })
  await dialog.getByText(/^5 messages by Ana Ruiz, Bo Lind, /).waitFor()
})

test('topics that are chosen while others are resolved stay chosen', async () => {
  const { org, boss, channel } = await scene()
  await sender(boss, channel)('Ducks', 'Quack')
  const { page } = await browser.open(org, boss, `#topics/channel/${channel.id}`)
  const topics = page.getByRole('toolbar', { name: 'Selected topics' })
  const requests = await holdRequests(page, /messages\/\d+$/)
  await page.getByLabel('Select “Ducks”').check()
  await topics.getByRole('button', { name: 'Mark as resolved' }).click()
  await expect.poll(requests.count).toBe(1)
  await page.getByLabel('Select “Owls”').check()
  await topics.getByText('2 selected').waitFor()
  requests.pass()
  await page.getByText('Done with 1 topic.').waitFor()
  await topics.getByText('1 selected').waitFor()
  expect(await page.getByLabel('Select “Owls”').isChecked()).toBe(true)
})

test('several topics are resolved, moved and deleted, after a look at what is in them', async () => {
  const { org, boss, bo, channel } = await scene()
  await sender(boss, channel)('Ducks', 'Quack')
  await sender(boss, channel)('Geese', 'Honk')
  const other = await org.channel({ name: 'birds', creator: boss, subscribers: [boss, bo] })
  const { page } = await browser.open(org, boss, `#topics/channel/${channel.id}`)
  const topics = page.getByRole('toolbar', { name: 'Selected topics' })
  const choose = (name: string) => page.getByLabel(`Select “${name}”`).check()
  const namesIn = async (id: number) =>
    (await boss.get(`/users/me/${id}/topics`)).body.topics.map(({ name }: { name: string }) => name)
  await choose('Ducks')
  await topics.getByRole('button', { name: 'Mark as resolved' }).click()
  await page.getByText('Done with 1 topic.').waitFor()
  await choose('✔ Ducks')
  await choose('Owls')
  await topics.getByText('2 selected').waitFor()
  await topics.getByRole('button', { name: 'Move' }).click()
  const dialog = page.getByRole('dialog')
  // The notice that a topic was resolved is a message, too.
  await dialog.getByText(/^7 messages by Ana Ruiz, Bo Lind, /).waitFor()
  await dialog.getByLabel('Channel').selectOption({ label: 'birds' })
  await dialog.getByText('The same people can read them as before.').waitFor()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByText('Done with 2 topics.').waitFor()
  expect((await namesIn(other.id)).toSorted()).toEqual(['Owls', '✔ Ducks'])
  await choose('Geese')
  await topics.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByText(/^1 message by Di Boss, /).waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByLabel('Select “Geese”').waitFor({ state: 'detached' })
  expect(await namesIn(channel.id)).not.toContain('Geese')
})
