import type { BrowserContext } from 'playwright-core'
import { expect, test } from 'vitest'
import { Browser } from '../browser.ts'
import { openPage, type Site, type WebUser, webBrowser, webUser } from '../chromium.ts'
import { contentsOf, sender } from '../messages.ts'
import { secureHost, testServer } from '../test-server.ts'
import { keepNow, keptMark, registrations, setKeptPosition } from './kept-state.ts'
import { expectStateToMatch } from './state-in-browser.ts'

const { organization } = testServer({ host: secureHost })
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

test('the next visit begins with the kept state, and goes on from its event without registering', async () => {
  const { page, context, url, bo, ana, say, gone, hash } = await scene()
  await page.close()
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

test('after the queue has ended, the visit begins with the kept state and registers', async () => {
  const { page, context, url, ana, say, hash } = await scene()
  const request = page.waitForRequest(/\/json\/events/)
  await page.reload()
  const queue = new URL((await request).url()).searchParams.get('queue_id')
  await page.close()
  await ana.delete('/events', { queue_id: queue })
  await say('Icons', 'The third one')
  const next = await context.newPage()
  const count = registrations(next)
  await next.goto(url + hash)
  await next.getByText('The third one').waitFor()
  expect(count()).toBe(1)
})

test('messages that the user may no longer read are gone when the queue goes on', async () => {
  const { page, context, url, org, ana, bo, channel, hash } = await scene({ isPrivate: true })
  await page.close()
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
  await box.fill('A draft of Ana')
  await signInAs(context, org, cy)
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
  await page.locator('article.row:not(.outgoing)', { hasText: 'By Ana' }).waitFor()
  await expect.poll(() => box.inputValue()).toBe('A draft of Ana')
  const sent = (await ana.get('/messages', { anchor: 'newest', num_before: 2, num_after: 0 })).body.messages
  expect(sent).toMatchObject([{ sender_id: cy.id }, { sender_id: ana.id }])
})

test('two tabs have queues of their own, and an older state never replaces a newer one', async () => {
  const { page, context, url, ana, say, hash } = await scene()
  const second = await openPage(context, url + hash)
  await say('Icons', 'For both')
  for (const tab of [page, second.page]) await tab.getByText('For both').waitFor()
  const { position } = (await keptMark(page))!
  await setKeptPosition(page, position + 1000)
  await say('Icons', 'Another one')
  await page.getByText('Another one').waitFor()
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide'))`)
  expect(await keptMark(page)).toMatchObject({ userId: ana.id, position: position + 1000 })
})
