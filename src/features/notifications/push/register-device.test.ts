import { expect, test, vi } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import { Person } from '../../../../test/person.ts'
import { Phone, worldOfPhones } from '../../../../test/programs/push-relay.ts'
import { testServer } from '../../../../test/test-server.ts'
import { addApiKey } from '../../bots/kernel/login/api-keys.ts'

const { all, server } = worldOfPhones()
const without = testServer()

/** Waits for the next event of a client. `pass` advances the time meanwhile. */
async function next(client: Client, pass = 0) {
  return vi.waitFor(
    async () => {
      all.pass(pass)
      await all.workOff()
      const events = await client.events()
      expect(events).not.toEqual([])
      return events
    },
    { timeout: 20_000, interval: 100 },
  )
}

/** Waits until the relay has accepted a device of a client's user. The node may have registered it by itself before. */
async function accepted(client: Client) {
  const statuses: string[] = []
  await vi.waitFor(
    async () => {
      await all.workOff()
      statuses.push(...(await client.events()).map(({ status }) => status))
      expect(statuses).toContain('active')
    },
    { timeout: 20_000, interval: 100 },
  )
}

test('a device is pending until the relay has accepted its registration', async () => {
  const org = await all.organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const [client, other] = [await anna.register(), await ben.register()]
  expect(client.state.push_devices).toEqual({})
  const phone = new Phone(server)
  const { body } = await anna.post('/mobile_push/register', phone.registration())
  expect(body).toEqual({ result: 'success', msg: '' })
  const id = String(phone.accountId)
  expect(await client.events()).toMatchObject([
    { type: 'push_device', push_account_id: id, status: 'pending' },
  ])
  expect(await next(client)).toMatchObject([{ type: 'push_device', push_account_id: id, status: 'active' }])
  await client.expectStateToMatch()
  expect((await anna.register()).state.push_devices).toEqual({ [id]: { status: 'active' } })
  expect(await other.events()).toEqual([])
  expect(server.registrations.at(-1)).toMatchObject({
    realm_url: `http://${anna.place.host}`,
    token_kind: 'fcm',
    opened: { token: `token ${id}` },
  })
})

test('keeps all digits of a 64-bit account number', async () => {
  const org = await all.organization()
  const register = (id: string) =>
    org.owner.post('/mobile_push/register', { ...new Phone(server).registration(), push_account_id: id })
  const ids = ['9223372036854775807', '9223372036854775806', '9007199254740993', '4711']
  for (const id of ids) {
    const client = await org.owner.register()
    expect((await register(id)).body.result).toBe('success')
    expect(await client.events()).toMatchObject([{ push_account_id: id, status: 'pending' }])
    expect(await next(client)).toMatchObject([{ push_account_id: id, status: 'active' }])
    expect(server.lastBody).toContain(`"push_account_id":${id},`)
  }
  expect(Object.keys((await org.owner.register()).state.push_devices).sort()).toEqual(ids.sort())
  for (const [id, msg] of [
    ['9223372036854775808', 'push_account_id is too large'],
    ['-9223372036854775809', 'push_account_id is too small'],
    ['1'.repeat(1000), 'push_account_id is too large'],
    ['1.5', 'push_account_id is not an integer'],
    ['012345678901234567', 'push_account_id is not valid JSON'],
  ] as const) {
    expect((await register(id)).body.msg).toBe(msg)
  }
})

test('registering again changes nothing, and registering with another key starts again', async () => {
  const org = await all.organization()
  const client = await org.owner.register()
  const registration = new Phone(server).registration()
  await org.owner.post('/mobile_push/register', registration)
  await accepted(client)
  await org.owner.post('/mobile_push/register', registration)
  expect(await client.events()).toEqual([])
  const { push_public_key } = new Phone(server).registration()
  await org.owner.post('/mobile_push/register', { ...registration, push_public_key })
  expect(await client.events()).toMatchObject([{ status: 'pending' }])
  expect(await next(client)).toMatchObject([{ status: 'active' }])
  await client.expectStateToMatch()
})

test.each([
  ['INVALID_BOUNCER_PUBLIC_KEY', { bouncer_public_key: 'another' }],
  ['BAD_REQUEST', { encrypted_push_registration: 'bm90aGluZw==' }],
])('a registration that the relay rejects has failed: %s', async (error_code, wrong) => {
  const org = await all.organization()
  const client = await org.owner.register()
  const registration = new Phone(server).registration()
  await org.owner.post('/mobile_push/register', { ...registration, ...wrong })
  await client.events()
  expect(await next(client)).toMatchObject([{ status: 'failed', error_code }])
  await client.expectStateToMatch()
  await org.owner.post('/mobile_push/register', registration)
  expect(await client.events()).toMatchObject([{ status: 'pending' }])
  expect(await next(client)).toMatchObject([{ status: 'active' }])
  await client.expectStateToMatch()
})

test.each(['down', { status: 503 }, { status: 401 }] as const)(
  'a relay that does not answer well (%j) is tried again, and for a day at most',
  async (fault) => {
    const org = await all.organization()
    const client = await org.owner.register()
    server.fault = fault
    const before = server.requests
    await org.owner.post('/mobile_push/register', new Phone(server).registration())
    await client.events()
    await expect.poll(() => server.requests).toBeGreaterThan(before)
    expect(await client.events()).toEqual([])
    server.fault = 'none'
    expect(await next(client, 5)).toMatchObject([{ status: 'active' }])
    server.fault = fault
    await org.owner.post('/mobile_push/register', new Phone(server).registration())
    await client.events()
    expect(await next(client, 20_000)).toMatchObject([{ status: 'failed', error_code: 'REQUEST_EXPIRED' }])
    server.fault = 'none'
  },
)

test('rejects invalid registrations and bots', async () => {
  const org = await all.organization()
  const registration = new Phone(server).registration()
  const register = (changes: object) =>
    org.owner.post('/mobile_push/register', { ...registration, ...changes })
  const zeros = Buffer.alloc(32).toString('base64')
  for (const push_public_key of ['', 'x', 'bm90aGluZw==', zeros]) {
    expect((await register({ push_public_key })).body.msg).toBe('Invalid push_public_key')
  }
  expect((await register({ token_kind: 'pager' })).body.msg).toBe('Invalid token_kind')
  expect((await register({ push_account_id: '"1"' })).body.msg).toBe('push_account_id is not an integer')
  expect((await register({ encrypted_push_registration: '?' })).body.msg).toBe(
    'Invalid encrypted_push_registration',
  )
  const { push_account_id: _, ...rest } = registration
  expect((await org.owner.post('/mobile_push/register', rest)).body).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'push_account_id',
  })
  expect((await org.visitor.post('/mobile_push/register', registration)).status).toBe(401)
})

test('without a relay no device can register', async () => {
  const org = await without.organization()
  const { status, body } = await org.owner.post('/mobile_push/register', new Phone(server).registration())
  expect(status).toBe(400)
  expect(body).toMatchObject({
    code: 'PUSH_SERVICE_NOT_CONFIGURED',
    msg: 'Server is not configured to use push notification service.',
  })
  expect((await org.visitor.get('/server_settings')).body.push_notifications_enabled).toBe(false)
  expect((await org.owner.register()).state.realm_push_notifications_enabled).toBe(false)
  const withRelay = await all.organization()
  expect((await withRelay.visitor.get('/server_settings')).body.push_notifications_enabled).toBe(true)
})

test('registers and removes tokens of apps without encryption', async () => {
  const org = await without.organization()
  const token = 'c0ffee00c0ffee00'
  const apns = { token, appid: 'org.example.chat' }
  for (let i = 0; i < 2; i++) {
    expect((await org.owner.post('/users/me/android_gcm_reg_id', { token })).body.result).toBe('success')
    expect((await org.owner.post('/users/me/apns_device_token', apns)).body.result).toBe('success')
  }
  const test = await org.owner.post('/mobile_push/test_notification', { token })
  expect(test.body.code).toBe('PUSH_SERVICE_NOT_CONFIGURED')
  for (const path of ['/users/me/android_gcm_reg_id', '/users/me/apns_device_token']) {
    expect((await org.owner.delete(path, { token })).body.result).toBe('success')
    expect((await org.owner.delete(path, { token })).body.msg).toBe('Token does not exist')
  }
  const gone = await org.owner.post('/mobile_push/test_notification', { token })
  expect(gone.body).toMatchObject({ code: 'INVALID_PUSH_DEVICE_TOKEN', msg: 'Device not recognized' })
  expect((await org.owner.post('/mobile_push/test_notification')).body.result).toBe('success')
  expect((await org.owner.post('/users/me/android_gcm_reg_id', { token: '' })).body.msg).toBe(
    'Empty or invalid length token',
  )
  expect((await org.owner.post('/users/me/apns_device_token', { ...apns, token: 'zz' })).body.msg).toBe(
    'Invalid APNS token',
  )
})

test('an Apple token may be in lenient base64', async () => {
  const { owner } = await without.organization()
  const path = '/users/me/apns_device_token'
  const appid = 'org.example.chat'
  const add = async (token: string) => (await owner.post(path, { token, appid })).body.msg
  for (const token of ['apple-tokenbb', 'YWI=', 'YQ==', 'Y-Q_= =', 'c0ff ee00', 'YWJj====']) {
    expect([token, await add(token)]).toEqual([token, ''])
  }
  for (const token of ['YWI', 'YWJjY', 'YQ=', '-', '====', '=YWJj']) {
    expect([token, await add(token)]).toEqual([token, 'Invalid APNS token'])
  }
  expect((await owner.delete(path, { token: 'apple-tokenbb' })).body.result).toBe('success')
})

test('rejects a long token because of its length, whatever its content', async () => {
  const { owner } = await without.organization()
  const token = 'word '.repeat(150_000)
  for (const path of ['/users/me/android_gcm_reg_id', '/users/me/apns_device_token']) {
    const sent = { token, appid: 'org.example.chat' }
    for (const { body } of [await owner.post(path, sent), await owner.delete(path, sent)]) {
      expect(body.msg).toBe('Empty or invalid length token')
    }
  }
})

test('a user with a new API key gets no more notifications on devices of the old one', async () => {
  const org = await all.organization()
  const [client, other] = [await org.owner.register(), await org.person()]
  for (const person of [org.owner, other]) {
    await person.post('/mobile_push/register', new Phone(server).registration())
    await person.post('/users/me/android_gcm_reg_id', { token: 'a token' })
  }
  await accepted(client)
  const { api_key } = (await org.owner.post('/users/me/api_key/regenerate')).body
  const owner = new Person(org.place, { ...org.owner, key: api_key })
  const { push_devices } = (await owner.register()).state
  expect(Object.values(push_devices)).toEqual([{ status: 'failed', error_code: 'REQUEST_EXPIRED' }])
  expect((await owner.delete('/users/me/android_gcm_reg_id', { token: 'a token' })).body.msg).toBe(
    'Token does not exist',
  )
  expect((await other.delete('/users/me/android_gcm_reg_id', { token: 'a token' })).body.result).toBe(
    'success',
  )
})

test('a user who revokes a key, as of a lost phone, gets no more notifications on it', async () => {
  const org = await all.organization()
  const client = await org.owner.register()
  await org.owner.post('/mobile_push/register', new Phone(server).registration())
  await org.owner.post('/users/me/android_gcm_reg_id', { token: 'a token' })
  await accepted(client)
  const [lost] = (await org.owner.get('/rookery/keys')).body.keys
  const another = await org.log.commit((change) => addApiKey(change, org.owner.id, 'another'))
  const owner = new Person(org.place, { ...org.owner, key: another })
  const browser = { user_id: owner.id, kind: 'browser', address: 'https://push.example', state: 'active' }
  await org.log.commit((change) => change.insert('push_device', { ...browser, created_at: change.now }))
  expect((await owner.delete(`/rookery/keys/${lost.id}`)).body.result).toBe('success')
  const left = [...org.state.pushDevicesOfUser(owner.id)].map(({ kind, state }) => `${kind} ${state}`)
  expect(left.sort()).toEqual(['browser active', 'encrypted failed'])
})
