import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type Site, type WebUser, webBrowser, webUser } from '../../browser/chromium.ts'
import { Browser } from '../../browser.ts'
import { contentsOf, sender } from '../../messages.ts'
import { secureHost, sharedServer } from '../../test-server.ts'
import { changeKept, keepNow, keptMark, keptState, registrations, setKeptPosition } from '../kept-state.ts'
import { expectStateToMatch } from '../state-in-browser.ts'

const { organization } = sharedServer({ host: secureHost })
const browser = webBrowser()

/** Ana has a topic open whose state her browser has kept. */
async function scene(options: { isPrivate?: boolean } = {}) {
  const org = await organization()
  const [ana, bo] = [await webUser(org, 'Ana Ruiz'), await webUser(org, 'Bo Lind')]
  const channel = await org.channel({ name: 'design', subscribers: [ana, bo], ...options })
  const say = sender(bo, channel)
  await say('Icons', 'The first one')
  const gone = await say('Icons', 'The second one')
  const hash = `#narrow/channel/${channel.id}/topic/Icons`
  const opened = await browser.open(org, ana, hash)
  await opened.page.getByText('The second one').waitFor()
  await opened.page.evaluate(`sessionStorage.setItem('rookery.compare', 'yes')`)
  await keepNow(opened.page, ana.id)
  return { ...opened, org, ana, bo, channel, say, gone, hash }
}

/** Puts the session of another user into a profile, as signing in does. */
async function signInAs(context: BrowserContext, { place }: Site, user: WebUser) {
  const visitor = new Browser(place)
  await visitor.logIn(user.email, user.password)
  const [name = '', value = ''] = visitor.cookie?.split('=') ?? []
  await context.clearCookies()
  const common = { domain: place.host, path: '/', sameSite: 'Lax' as const }
  await context.addCookies([
    { name, value, httpOnly: true, ...common },
    { name: 'rookery-user', value: String(user.id), ...common },
  ])
}

/** Closes a page, and waits until the browser has freed its event queue for the next one. */
async function leave(page: Page) {
  const other = await page.context().newPage()
  await other.goto(new URL('/manifest.webmanifest', page.url()).href)
  await page.close()
  const held = `navigator.locks.query().then(({ held }) => held.map(({ name }) => name))`
  await expect.poll(() => other.evaluate<string[]>(held)).not.toContainEqual(expect.stringContaining('queue'))
  await other.close()
}

/** More messages than a view shows. */
const manyMissed = 40

/** Ends a visit whose user has read everything. */
async function leaveAllRead(page: Page, user: WebUser) {
  await user.post('/mark_all_as_read')
  await expect.poll(() => page.locator('article.unread').count()).toBe(0)
  await keepNow(page, user.id)
  const { queue_id } = (await keptState(page)).state
  await leave(page)
  return queue_id
}

async function expectToBeginAtFirstMissed(page: Page) {
  await page.locator('article', { has: page.locator('.unread-line'), hasText: 'Missed 1.' }).waitFor()
  const isInView = (text: string) =>
    page
      .getByText(text, { exact: true })
      .evaluate((one) => one.getBoundingClientRect().top < one.ownerDocument.documentElement.clientHeight)
  await expect.poll(() => isInView('Missed 1.')).toBe(true)
  await page.getByText(`Missed ${manyMissed}.`, { exact: true }).waitFor({ state: 'attached' })
  expect(await isInView('Missed 1.')).toBe(true)
  expect(await isInView(`Missed ${manyMissed}.`)).toBe(false)
}

test('the next visit begins with the kept state, and goes on from its event without registering', async () => {
  const { page, context, url, bo, ana, say, gone, hash } = await scene()
  await leave(page)
  await say('Icons', 'The third one')
  await bo.patch(`/messages/${gone}`, { content: 'The second one, edited' })
  await ana.post('/users/me/status', { status_text: 'away' })
  const next = await context.newPage()
  const count = registrations(next)
  // The list comes from what was kept: requests for messages get no answer.
  await next.route('**/json/messages?*', () => {})
  await next.addInitScript(`sessionStorage.setItem('rookery.compare', 'yes')`)
  await next.goto(url + hash)
  await next.getByText('The third one').waitFor()
  await next.getByText('The second one, edited').waitFor()
  expect(count()).toBe(0)
  await expect.poll(() => next.evaluate(`'__rookery' in window`)).toBe(true)
  await expectStateToMatch(next)
  await next.close()
})

test('a visit that ends while messages are read leaves the messages that were kept before', async () => {
  const { page, context, url, hash } = await scene()
  await page.close()
  const short = await context.newPage()
  await short.route('**/json/messages?*', () => {})
  const count = registrations(short)
  await short.goto(url + hash)
  await short.reload()
  const reading = short.waitForRequest('**/json/messages?*')
  await expect.poll(count).toBe(1)
  await reading
  await short.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide'))`)
  await short.close()
  const next = await context.newPage()
  await next.route('**/json/messages?*', () => {})
  await next.goto(url + hash)
  await next.getByText('The second one').waitFor()
})

test('after the queue has ended, the visit begins with the kept state and registers', async () => {
  const { page, context, url, ana, say, hash } = await scene()
  const queue_id = await leaveAllRead(page, ana)
  await ana.delete('/events', { queue_id })
  for (let n = 1; n <= manyMissed; n++) await say('Icons', `Missed ${n}.`)
  const next = await context.newPage()
  const count = registrations(next)
  await next.goto(url + hash)
  await expectToBeginAtFirstMissed(next)
  expect(count()).toBe(1)
})

test('reading goes on at the first message that came since the last visit', async () => {
  const { page, context, url, ana, say, hash } = await scene()
  await leaveAllRead(page, ana)
  for (let n = 1; n <= manyMissed; n++) await say('Icons', `Missed ${n}.`)
  const next = await context.newPage()
  const count = registrations(next)
  await next.goto(url + hash)
  await expectToBeginAtFirstMissed(next)
  expect(count()).toBe(0)
})

test('a kept state that cannot be shown is given up', async () => {
  const { page, context, url, hash } = await scene()
  const broken = [{ messages: null }, { state: { user_id: 1 } }]
  for (const fields of broken) {
    await changeKept(page, fields)
    const next = await context.newPage()
    await next.goto(url + hash)
    await next.getByText('The second one').waitFor()
    await next.locator('main[aria-busy=false]').waitFor()
    await next.close()
  }
})

test('a reload, and a visit after a long time, register anew', async () => {
  const { page, context, url, hash } = await scene()
  const reloads = registrations(page)
  await page.reload()
  await expect.poll(reloads).toBe(1)
  await changeKept(page, { registeredAt: Date.now() - 7 * 3600_000 })
  const next = await context.newPage()
  const visits = registrations(next)
  await next.goto(url + hash)
  await expect.poll(visits).toBe(1)
})

test('no keys of bots are kept, and the screen of the bots shows them', async () => {
  const { page, context, url, ana } = await scene()
  const { body } = await ana.post('/bots', { full_name: 'Deployer', short_name: 'deployer' })
  await page.evaluate(`location.hash = '#settings/bots'`)
  await page.locator('summary', { hasText: 'Deployer' }).waitFor()
  await keepNow(page, ana.id)
  expect(JSON.stringify(await keptState(page))).toContain('Deployer')
  expect(JSON.stringify(await keptState(page))).not.toContain(body.api_key)
  await page.close()
  const next = await context.newPage()
  await next.goto(`${url}#settings/bots`)
  await next.locator('summary', { hasText: 'Deployer' }).click()
  await next.getByRole('button', { name: 'Show the key' }).click()
  await next.getByText(body.api_key).waitFor()
})

test('leaving the organization removes what was kept, and the cookies', async () => {
  const { page, context, ana } = await scene()
  await page.evaluate(`location.hash = '#settings/account'`)
  await page.getByRole('button', { name: 'Deactivate my account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(ana.email)
  await dialog.getByRole('button', { name: 'Deactivate my account' }).click()
  await page.waitForURL(/\/login/)
  expect(await keptMark(page)).toBeUndefined()
  const names = (await context.cookies()).map(({ name }) => name)
  expect(names.filter((name) => name.includes('rookery'))).toEqual([])
})

test('messages that the user may no longer read are gone when the queue goes on', async () => {
  const { page, context, url, org, ana, bo, channel, hash } = await scene({ isPrivate: true })
  await leave(page)
  const removal = { subscriptions: [channel.name], principals: [ana.id] }
  expect((await org.owner.delete('/users/me/subscriptions', removal)).body.result).toBe('success')
  const next = await openPage(context, url + hash)
  await expect.poll(() => next.page.getByText('The first one').count()).toBe(0)
  await keepNow(next.page, ana.id)
  await next.page.reload()
  await next.page.locator('main[aria-busy=false]').waitFor()
  expect(await next.page.getByText('The first one').count()).toBe(0)
  expect(bo.id).not.toBe(ana.id)
})

test('signing out removes what was kept', async () => {
  const { page } = await scene()
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/login/)
  expect(await keptMark(page)).toBeUndefined()
})

test('another user who signs in never sees what was kept', async () => {
  const { page, context, url, org, ana, hash } = await scene()
  const cy = await webUser(org, 'Cy Stone')
  await page.close()
  await signInAs(context, org, cy)
  const next = await context.newPage()
  await next.addInitScript(`
    window.seen = false
    const look = () => { window.seen ||= document.documentElement.textContent.includes('The first one') }
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })`)
  await next.route('**/json/messages?*', () => {})
  await next.goto(url + hash)
  await next.locator('main[aria-busy=false]').waitFor()
  expect(await next.evaluate('window.seen')).toBe(false)
  expect((await keptMark(next))?.userId).not.toBe(ana.id)
})

test('what waits to be sent never goes out in the name of another user who signs in', async () => {
  const { page, context, url, org, ana, channel, hash } = await scene()
  const cy = await webUser(org, 'Cy Stone')
  await cy.post('/users/me/subscriptions', { subscriptions: [{ name: 'design' }] })
  const box = page.locator('.composer textarea')
  const write = async (text: string) => {
    await box.fill(text)
    await box.press('Control+Enter')
  }
  await context.setOffline(true)
  await write('By Ana')
  await page.locator('.row.outgoing').waitFor()
  await signInAs(context, org, cy)
  // Without a connection, the page stays as it is.
  await write('By Ana, too')
  await expect.poll(() => page.locator('.row.outgoing').count()).toBe(2)
  await box.fill('A draft of Ana')
  const reloaded = page.waitForEvent('load')
  await context.setOffline(false)
  await reloaded
  await page.locator('main[aria-busy=false]').waitFor()
  expect(await box.inputValue()).toBe('')
  await write('By Cy')
  await page.locator('article.row:not(.outgoing)', { hasText: 'By Cy' }).waitFor()
  expect((await cy.get('/drafts')).body.drafts).toEqual([])
  expect((await contentsOf(ana, channel)).map(([, content]) => content)).not.toContain('By Ana')
  await signInAs(context, org, ana)
  await page.goto('about:blank')
  await page.goto(url + hash)
  await page.locator('article.row:not(.outgoing)', { hasText: 'By Ana, too' }).waitFor()
  await expect.poll(() => box.inputValue()).toBe('A draft of Ana')
  const sent = (await ana.get('/messages', { anchor: 'newest', num_before: 3, num_after: 0 })).body.messages
  expect(sent).toMatchObject([{ sender_id: cy.id }, { sender_id: ana.id }, { sender_id: ana.id }])
})

/** Counts how often the page has come to an end with its database. */
const noteTries = `{
  window.tried = 0
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function (...options) {
    const made = transaction.apply(this, options)
    for (const end of ['complete', 'abort']) made.addEventListener(end, () => window.tried++)
    return made
  }
}`

test('two tabs have queues of their own, and an older state never replaces a newer one', async () => {
  const { page, context, url, ana, say, hash } = await scene()
  const second = await openPage(context, url + hash)
  await say('Icons', 'For both')
  for (const tab of [page, second.page]) await tab.getByText('For both').waitFor()
  const { position } = (await keptMark(page))!
  await setKeptPosition(page, position + 1000)
  await page.evaluate(noteTries)
  await say('Icons', 'Another one')
  await page.getByText('Another one').waitFor()
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide'))`)
  await expect.poll(() => page.evaluate('tried')).toBeGreaterThan(0)
  expect(await keptMark(page)).toMatchObject({ userId: ana.id, position: position + 1000 })
})
