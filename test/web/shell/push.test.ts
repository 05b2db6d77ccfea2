import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { safeFetch } from '../../../src/adapters/safe-fetch.ts'
import { webBrowser } from '../../browser/chromium.ts'
import { direct, sender } from '../../messages.ts'
import { Browser, PushService } from '../../programs/push-browser.ts'
import { pushed } from '../../programs/push-relay.ts'
import { secureHost, testServer } from '../../test-server.ts'
import { allowPushes, openWorker, subscribedWith } from '../service-worker.ts'
import { twoPeople } from '../two-people.ts'

const service = new PushService()
const server = testServer({
  host: secureHost,
  adapters: { fetch: safeFetch({ mayReach: () => true, trusted: service.trusted }) },
})
beforeAll(() => service.start())
afterAll(() => service.stop())
const browser = webBrowser()

/** Ana has turned notifications on in a browser; Bo writes. `arrive` hands over what the server has pushed since. */
async function scene() {
  const { org, ana, bo, channel } = await twoPeople(server.organization)
  await ana.patch('/settings', { enable_online_push_notifications: true })
  const device = new Browser(service)
  const { page, context, url, problems } = await browser.open(org, ana, '', {
    serviceWorkers: 'allow',
  })
  await allowPushes(context, device.subscription)
  await page.reload()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Turn on notifications' }).click()
  // The service worker loads the whole client before it is ready.
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  const listed = async () => (await ana.get('/rookery/push_subscriptions')).body
  await expect.poll(listed).toMatchObject({ subscriptions: [{ endpoint: device.subscription.endpoint }] })
  expect(await subscribedWith(page)).toBe((await listed()).public_key)
  const worker = await openWorker(context)
  let arrived = 0
  const arrive = async () => {
    await pushed(server, org)
    const payloads = device.got().slice(arrived)
    arrived += payloads.length
    await worker.deliver(payloads)
    return payloads
  }
  return { org, ana, bo, channel, page, context, url, problems, worker, arrive, listed }
}

const noted = (page: Page) => page.evaluate<string[]>('window.noted')

test('messages are shown while no tab is open, until they are read elsewhere', async () => {
  const { ana, bo, channel, page, problems, worker, arrive } = await scene()
  expect(problems).toEqual([])
  await page.close()
  const first = await direct(bo, [ana], 'Are you **there**?')
  const second = await direct(bo, [ana], 'Hello?')
  const third = await sender(bo, channel)('Dark theme', 'What does @**Ana Ruiz** say?')
  await arrive()
  const inChannel = {
    title: 'Bo Lind (#design › Dark theme)',
    body: 'What does @Ana Ruiz say?',
    ids: [third],
  }
  await expect
    .poll(worker.shown)
    .toMatchObject([{ title: 'Bo Lind', body: 'Hello?', ids: [first, second] }, inChannel])
  await ana.post('/messages/flags', { messages: [first], op: 'add', flag: 'read' })
  await arrive()
  await expect.poll(worker.shown).toMatchObject([inChannel, { title: 'Bo Lind', ids: [second] }])
  await ana.post('/messages/flags', { messages: [second, third], op: 'add', flag: 'read' })
  await arrive()
  await expect.poll(worker.shown).toEqual([])
})

test('when the newest message of a notification is deleted, the one before takes its place', async () => {
  const { ana, bo, page, worker, arrive } = await scene()
  await page.close()
  const [first, slip] = [await direct(bo, [ana], 'Hello'), await direct(bo, [ana], 'A slip')]
  await arrive()
  await expect.poll(worker.shown).toMatchObject([{ body: 'A slip', ids: [first, slip] }])
  await bo.delete(`/messages/${slip}`)
  await arrive()
  await expect.poll(worker.shown).toMatchObject([{ title: 'Bo Lind', body: 'Hello', ids: [first] }])
  await bo.delete(`/messages/${first}`)
  await arrive()
  await expect.poll(worker.shown).toEqual([])
})

test('a message that an open tab announces is not shown again, nor one that is pushed twice', async () => {
  const { ana, bo, page, worker, arrive } = await scene()
  await direct(bo, [ana], 'Are you there?')
  await expect.poll(() => noted(page)).toEqual(['Bo Lind'])
  await arrive()
  await ana.post('/mobile_push/test_notification')
  await arrive()
  // Pushes are handled one after another, so the one before has been handled.
  await expect.poll(worker.shown).toMatchObject([{ tag: 'test' }])
  expect(await noted(page)).toEqual(['Bo Lind'])
  await page.close()
  const id = await direct(bo, [ana], 'Hello?')
  const again = await arrive()
  await worker.deliver(again)
  await ana.post('/mobile_push/test_notification')
  await arrive()
  await expect.poll(worker.shown).toMatchObject([{ ids: [id] }, { tag: 'test' }])
})

test('a click opens the message in the open tab, or in a new one', async () => {
  const { ana, bo, page, context, url, worker, arrive } = await scene()
  const other = await context.newPage()
  await page.close()
  const id = await direct(bo, [ana], 'Are you there?')
  await arrive()
  await expect.poll(worker.shown).toMatchObject([{ title: 'Bo Lind' }])
  const hash = `#narrow/dm/${bo.id}-user/near/${id}`
  await worker.click('Bo Lind')
  await expect.poll(worker.opened).toEqual([`/${hash}`])
  await expect.poll(worker.shown).toEqual([])
  await direct(bo, [ana], 'Hello?')
  await arrive()
  await expect.poll(worker.shown).toMatchObject([{ title: 'Bo Lind' }])
  // A tab answers the worker by the time it asks the server for its subscription.
  const listens = other.waitForRequest('**/push_subscriptions')
  await other.goto(url)
  await listens
  await worker.click('Bo Lind')
  await other.locator('article').getByText('Hello?').waitFor()
  expect(await worker.opened()).toHaveLength(1)
})

test('signing out ends the subscription', async () => {
  const { page, worker, listed } = await scene()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login**')
  expect((await listed()).subscriptions).toEqual([])
  expect(await subscribedWith(page)).toBe(undefined)
  expect(await worker.givenUp()).toBe(0)
})

test('a browser whose session has ended elsewhere shows nothing more, and gives its subscription up', async () => {
  const { ana, bo, page, context, worker, arrive } = await scene()
  await page.close()
  await context.clearCookies()
  await direct(bo, [ana], 'Are you there?')
  await arrive()
  await expect.poll(worker.givenUp).toBe(1)
  await direct(bo, [ana], 'Hello?')
  await arrive()
  await expect.poll(worker.givenUp).toBe(2)
  expect(await worker.shown()).toEqual([])
})

test('a push to a user who is not the one signed in is not shown', async () => {
  const { ana, bo, page, worker, arrive } = await scene()
  await page.close()
  const id = await direct(bo, [ana], 'Are you there?')
  const [payload] = await arrive()
  await worker.deliver([{ ...payload, message_id: id + 1, user_id: bo.id }])
  await ana.post('/mobile_push/test_notification')
  await arrive()
  await expect.poll(worker.shown).toMatchObject([{ ids: [id] }, { tag: 'test' }])
})

test('browsers may not keep an old worker', async () => {
  const { page, url } = await scene()
  const headers = (await page.goto(`${url}sw.js`))?.headers()
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  })
})
