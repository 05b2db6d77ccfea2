import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Browser as Client } from '../../../../test/browser.ts'
import { Browser, PushService } from '../../../../test/programs/push-browser.ts'
import { pushed } from '../../../../test/programs/push-relay.ts'
import { testServer } from '../../../../test/test-server.ts'
import { safeFetch } from '../../../adapters/safe-fetch.ts'
import { httpLimits } from '../../../http/limits.ts'
import { putPassword } from '../../accounts/kernel/login/put-password.ts'
import { endOwnSession } from '../../accounts/kernel/sessions/end-own-logins.ts'

const service = new PushService()
const all = testServer({ adapters: { fetch: safeFetch({ mayReach: () => true, trusted: service.trusted }) } })
beforeAll(() => service.start())
afterAll(() => service.stop())

const strict = testServer()

/** Returns Anna, who writes, and Ben, who has a browser. */
async function cast(where = all) {
  const org = await where.organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const browser = new Browser(service)
  const { body } = await ben.post('/rookery/push_subscriptions', { subscription: browser.subscription })
  expect(body).toEqual({ result: 'success', msg: '' })
  const say = async (content: string) => {
    const said = await anna.post('/messages', { type: 'direct', to: [ben.id], content })
    return said.body.id as number
  }
  return { org, anna, ben, browser, say }
}

test('a browser receives a notification that only it can decrypt, from the server it subscribed to', async () => {
  const { org, anna, ben, browser, say } = await cast()
  const { body } = await ben.get('/rookery/push_subscriptions')
  expect(body).toMatchObject({
    subscriptions: [{ endpoint: browser.subscription.endpoint, date_created: expect.any(Number) }],
  })
  expect((await anna.get('/rookery/push_subscriptions')).body).toMatchObject({
    public_key: body.public_key,
    subscriptions: [],
  })
  const id = await say('Are you there?')
  await ben.post('/mobile_push/test_notification')
  await pushed(all, org)
  expect(browser.got()).toHaveLength(2)
  expect(browser.got()).toContainEqual(expect.objectContaining({ type: 'test', user_id: ben.id }))
  expect(browser.got()).toContainEqual(
    expect.objectContaining({ type: 'message', message_id: id, content: 'Are you there?' }),
  )
  const { authorization, ttl, urgency } = browser.requests[0]!.headers as Record<string, string>
  const [, token, key] = /^vapid t=(\S+), k=(\S+)$/.exec(authorization!)!
  expect(key).toBe(body.public_key)
  expect(decodeJwt(token!)).toMatchObject({ aud: service.origin, sub: 'mailto:noreply@chat.test' })
  expect([ttl, urgency]).toEqual(['86400', 'high'])
  await ben.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await pushed(all, org)
  expect(browser.got().at(-1)).toMatchObject({ type: 'remove', message_ids: [id] })
})

test('a user who hides direct messages in desktop notifications gets no text', async () => {
  const { org, anna, ben, browser, say } = await cast()
  await ben.patch('/settings', { pm_content_in_desktop_notifications: false })
  await org.channel({ name: 'harbour', subscribers: [anna, ben] })
  await say('for your eyes')
  await anna.post('/messages', { type: 'channel', to: 'harbour', topic: 'x', content: '@**all** hands' })
  await pushed(all, org)
  const [first, second] = browser.got()
  expect(first).toMatchObject({ reason: 'direct', sender_full_name: anna.name })
  expect(first).not.toHaveProperty('content')
  expect(second).toMatchObject({ reason: 'wildcard', content: '@all hands' })
})

test.each([404, 410])('forgets a browser whose subscription is gone (%i)', async (status) => {
  const { org, ben, browser, say } = await cast()
  service.answers.set(browser.path, { status })
  await say('one')
  await pushed(all, org)
  expect((await ben.get('/rookery/push_subscriptions')).body.subscriptions).toEqual([])
  await say('two')
  await expect.poll(() => browser.requests).toHaveLength(1)
})

test('retries a busy push service later without delaying others', async () => {
  const { org, ben, browser, say } = await cast()
  const other = new Browser(service)
  await ben.post('/rookery/push_subscriptions', { subscription: other.subscription })
  service.answers.set(browser.path, { status: 429, retryAfter: 300 })
  await say('one')
  // The node owns the job for some seconds only: it must have put it back before time passes.
  await all.workOff()
  expect(browser.requests).toHaveLength(1)
  all.pass(200)
  await say('two')
  await expect.poll(() => other.got()).toHaveLength(2)
  expect(browser.requests).toHaveLength(1)
  service.answers.delete(browser.path)
  all.pass(300)
  await pushed(all, org)
  expect(browser.got().map(({ content }) => content)).toEqual(['one', 'one', 'two'])
  expect(other.got().map(({ content }) => content)).toEqual(['one', 'two'])
})

test('drops only the notification that a push service rejects', async () => {
  const { org, browser, say } = await cast()
  service.answers.set(browser.path, { status: 413 })
  await say('one')
  await pushed(all, org)
  service.answers.delete(browser.path)
  await say('two')
  await pushed(all, org)
  expect(browser.got().map(({ content }) => content)).toEqual(['one', 'two'])
})

test('only its owner can remove a browser', async () => {
  const { org, anna, ben, browser, say } = await cast()
  const { endpoint } = browser.subscription
  expect((await anna.delete('/rookery/push_subscriptions', { endpoint })).body.msg).toBe(
    'This browser has not subscribed.',
  )
  expect((await ben.delete('/rookery/push_subscriptions', { endpoint })).body.result).toBe('success')
  await say('one')
  await vi.waitFor(
    async () => {
      const { read } = all.node.app.realms.connections
      expect(
        await read.selectFrom('push_position').where('realm_id', '=', org.id).selectAll().execute(),
      ).toEqual([])
    },
    { timeout: 20_000 },
  )
  expect(browser.requests).toEqual([])
})

test.each(['ends the session', 'sets a password'])(
  'a user who %s of a lost browser gets no more on those that registered before logins were noted',
  async (how) => {
    const { org, ben, browser } = await cast()
    const [device] = org.state.pushDevicesOfUser(ben.id)
    await org.log.commit((change) => change.update('push_device', { id: device!.id, api_key_id: null }))
    const row = { user_id: ben.id, client: 'lost', hash: 'x', created_at: 1, last_used_at: 1 }
    const { id } = await org.log.commit((change) => change.insert('session', row))
    await org.log.commit<unknown>((change) =>
      how === 'sets a password'
        ? putPassword(change, ben.id, 'a hash')
        : endOwnSession(change, change.state.users.require(ben.id), id),
    )
    const { subscriptions } = (await ben.get('/rookery/push_subscriptions')).body
    expect(subscriptions).toEqual([])
    const again = await ben.post('/rookery/push_subscriptions', { subscription: browser.subscription })
    expect(again.body.result).toBe('success')
  },
)

test('rejects invalid subscriptions and push services that are not on the internet', async () => {
  const { ben, browser } = await cast()
  const { subscription } = browser
  const add = async (changes: object) => {
    const sent = { subscription: { ...subscription, ...changes } }
    return (await ben.post('/rookery/push_subscriptions', sent)).body.msg
  }
  for (const endpoint of ['', 'http://push.example.org/1', 'https://127.0.0.1/1', 'https://[::1]/', 'x']) {
    expect(await add({ endpoint })).toBe('Invalid subscription["endpoint"]')
  }
  const { p256dh, auth } = subscription.keys
  const noPoint = Buffer.alloc(65, 4).toString('base64url')
  for (const keys of [
    { p256dh: noPoint, auth },
    { p256dh: auth, auth },
    { p256dh, auth: 'x' },
  ]) {
    expect(await add({ keys })).toBe('Invalid subscription["keys"]')
  }
  // A regular expression that looks for padding at the end of this text took hours.
  const endless = `${'='.repeat(900_000)}x`
  expect(await add({ keys: { p256dh: endless, auth } })).toBe(
    'subscription["keys"]["p256dh"] is too long (limit: 100 characters)',
  )
})

test('does not contact a host name that resolves to an internal address, and forgets the browser', async () => {
  const { org, ben, browser, say } = await cast(strict)
  await say('one')
  await pushed(strict, org)
  expect(browser.requests).toEqual([])
  expect((await ben.get('/rookery/push_subscriptions')).body.subscriptions).toEqual([])
})

test('a browser gets nothing once its session has ended by time', async () => {
  const { org, ben, browser, say } = await cast()
  const client = new Client(org.place)
  const { name, value } = await org.session(ben)
  client.cookie = `${name}=${value}`
  const other = new Browser(service)
  await client.ask('POST', '/json/rookery/push_subscriptions', { subscription: other.subscription })
  await say('one')
  await pushed(all, org)
  all.pass(httpLimits.sessionIdleDays * 86_400)
  await say('two')
  await pushed(all, org)
  expect(browser.got().map(({ content }) => content)).toEqual(['one', 'two'])
  expect(other.got().map(({ content }) => content)).toEqual(['one'])
})
