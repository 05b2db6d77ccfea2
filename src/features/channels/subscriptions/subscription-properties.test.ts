import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()
const path = '/users/me/subscriptions/properties'

test('users change their subscriptions, and only they are notified', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [ann, bob] })
  const clients = [await ann.register(), await bob.register()] as const
  const set = (property: string, value: boolean | string) => ({ stream_id: channel.id, property, value })
  const { body } = await ann.post(path, {
    subscription_data: [
      set('color', '#abc'),
      set('is_muted', true),
      set('pin_to_top', true),
      set('desktop_notifications', true),
      set('audible_notifications', false),
      set('push_notifications', true),
      set('email_notifications', false),
      set('wildcard_mentions_notify', true),
    ],
  })
  expect(body).toEqual({ result: 'success', msg: '' })
  const heard = await clients[0].events()
  expect(heard.map(({ property, value }) => [property, value])).toEqual([
    ['color', '#abc'],
    ['in_home_view', false],
    ['is_muted', true],
    ['pin_to_top', true],
    ['desktop_notifications', true],
    ['audible_notifications', false],
    ['push_notifications', true],
    ['email_notifications', false],
    ['wildcard_mentions_notify', true],
  ])
  expect(heard[0]).toMatchObject({ type: 'subscription', op: 'update', stream_id: channel.id })
  await ann.post(path, { subscription_data: [set('in_home_view', true)] })
  expect(await clients[0].events()).toMatchObject([
    { property: 'in_home_view', value: true },
    { property: 'is_muted', value: false },
  ])
  expect(await clients[1].events()).toEqual([])
  for (const client of clients) await client.expectStateToMatch()
})

test('of many changes of one property, only the last is emitted', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ subscribers: [ann] })
  const client = await ann.register()
  const change = (value: boolean) => ({ stream_id: channel.id, property: 'pin_to_top', value })
  const subscription_data = Array.from({ length: 1_001 }, (_, i) => change(i % 2 === 0))
  expect((await ann.post(path, { subscription_data })).status).toBe(200)
  expect(await client.events()).toMatchObject([{ property: 'pin_to_top', value: true }])
  await client.expectStateToMatch()
})

test('invalid changes are refused, and nothing is changed', async () => {
  const org = await organization()
  const ann = await org.person()
  const [own, other] = [await org.channel({ subscribers: [ann] }), await org.channel()]
  const secret = await org.channel({ isPrivate: true })
  const client = await ann.register()
  const fine = { stream_id: own.id, property: 'pin_to_top', value: true }
  const msg = async (change: object) =>
    (await ann.post(path, { subscription_data: [fine, { ...fine, ...change }] })).body.msg
  expect(await msg({ property: 'color', value: 'red' })).toBe(
    'Invalid subscription_data[1]: Value error, color is not a valid hex color code',
  )
  expect(await msg({ value: 'x' })).toBe('pin_to_top is not a boolean')
  expect(await msg({ property: 'bogus' })).toBe('Unknown subscription property: bogus')
  expect(await msg({ value: 1 })).toBe('subscription_data[1]["value"] is not a boolean')
  expect(await msg({ stream_id: other.id })).toBe(`Not subscribed to channel ID ${other.id}`)
  expect(await msg({ stream_id: secret.id })).toBe('Invalid channel ID')
  expect(await msg({ stream_id: undefined })).toBe(
    'subscription_data[1]["stream_id"] field is missing: Field required',
  )
  expect(await client.events()).toEqual([])
})

test('one property can be set by itself', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel({ subscribers: [ann] })
  const client = await ann.register()
  const set = (params: Record<string, unknown>) => ann.patch(`/users/me/subscriptions/${channel.id}`, params)
  await set({ property: 'color', value: '#aabbcc' })
  await set({ property: 'pin_to_top', value: true })
  expect(await client.events()).toMatchObject([
    { property: 'color', value: '#aabbcc' },
    { property: 'pin_to_top', value: true },
  ])
  expect((await set({ property: 'color' })).body).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'value',
  })
  expect((await set({ property: 'color', value: 'red' })).body.result).toBe('error')
  expect((await set({ property: 'pin_to_top', value: 'maybe' })).body.msg).toBe('pin_to_top is not a boolean')
  await client.expectStateToMatch()
})
