import { expect, test } from 'vitest'
import { success } from '../../../../test/http.ts'
import { cast } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const car = { emoji_name: 'car', emoji_code: '1f697', reaction_type: 'unicode_emoji' }
const noEmoji = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' }

const setting = async () => cast(await organization())

const say = async (who: Person, params: object) => (await who.post('/users/me/status', { ...params })).body
const statusOf = async (who: Person, viewer: Person) =>
  (await viewer.get(`/users/${who.id}/status`)).body.status

test('all users receive a user’s status, part by part', async () => {
  const { anna, guest } = await setting()
  const client = await guest.register()
  const changed = { type: 'user_status', user_id: anna.id }
  expect(await say(anna, { status_text: '  in a meeting ' })).toEqual(success)
  expect(await say(anna, { emoji_name: 'car' })).toEqual(success)
  expect(await client.events()).toEqual([
    { id: expect.any(Number), ...changed, status_text: 'in a meeting' },
    { id: expect.any(Number), ...changed, ...car },
  ])
  await client.expectStateToMatch()
  expect(await statusOf(anna, guest)).toEqual({ status_text: 'in a meeting', ...car })
  expect((await guest.register()).state.user_status).toEqual({
    [anna.id]: { status_text: 'in a meeting', ...car },
  })
  await say(anna, { status_text: '' })
  await client.expectStateToMatch()
  await say(anna, { emoji_name: '' })
  expect((await client.events()).at(-1)).toMatchObject({ ...changed, ...noEmoji })
  await client.expectStateToMatch()
  expect(await statusOf(anna, guest)).toEqual({})
  expect((await guest.register()).state.user_status).toEqual({})
})

test('a status is validated', async () => {
  const { anna, guest } = await setting()
  const client = await guest.register()
  for (const [params, msg] of [
    [{}, 'Client did not pass any new values.'],
    [{ emoji_code: '1f697' }, 'Client did not pass any new values.'],
    [
      { status_text: 'x', emoji_code: '1f697' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{ emoji_name: 'nosuch' }, "Emoji 'nosuch' does not exist"],
    [{ ...car, emoji_code: 'zzz' }, 'Invalid emoji code.'],
    [{ ...car, emoji_name: 'tada' }, 'Invalid emoji name.'],
    [{ ...car, reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
  ] as const) {
    expect(await say(anna, params)).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' })
  }
  expect(await client.events()).toEqual([])
})

test('being away means not showing the presence', async () => {
  const { anna, guest } = await setting()
  const [own, other] = [await anna.register(), await guest.register()]
  await say(anna, { away: true })
  const setting_ = { type: 'user_settings', property: 'presence_enabled' }
  expect(await own.events()).toMatchObject([
    { ...setting_, value: false },
    { type: 'user_status', away: true },
  ])
  expect(await other.events()).toMatchObject([{ type: 'user_status', user_id: anna.id, away: true }])
  expect(await statusOf(anna, guest)).toEqual({ away: true })
  await say(anna, { away: false })
  expect(await other.events()).toMatchObject([{ type: 'presence' }, { type: 'user_status', away: false }])
  for (const client of [own, other]) await client.expectStateToMatch()
})

test('administrators set the status of other users', async () => {
  const { org, admin, anna, guest } = await setting()
  const client = await guest.register()
  const path = `/users/${anna.id}/status`
  expect((await admin.post(path, { status_text: 'on holiday', away: true })).body).toEqual({
    ...success,
    ignored_parameters_unsupported: ['away'],
  })
  expect(await client.events()).toMatchObject([{ user_id: anna.id, status_text: 'on holiday' }])
  await client.expectStateToMatch()
  for (const [who, where, params, msg] of [
    [guest, path, { status_text: 'x' }, 'Insufficient permission'],
    [admin, '/users/99999999/status', { status_text: 'x' }, 'No such user'],
    [admin, path, {}, 'Client did not pass any new values.'],
  ] as const) {
    expect((await who.post(where, params)).body).toEqual({ result: 'error', msg, code: 'BAD_REQUEST' })
  }
  await org.owner.delete(`/users/${anna.id}`)
  expect((await admin.post(path, { status_text: 'x' })).body.msg).toBe('User is deactivated')
})

test('guests receive no status of users whom they may not see', async () => {
  const { org, anna, guest } = await setting()
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const client = await guest.register()
  await say(anna, { status_text: 'secret' })
  expect(await client.events()).toEqual([])
  expect((await guest.register()).state.user_status).toEqual({})
  expect((await guest.get(`/users/${anna.id}/status`)).body.msg).toBe('Insufficient permission')
})

test('guests receive the status of a user whom they begin to see, and lose it with the user', async () => {
  const { org, anna, ben, guest } = await setting()
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  await say(anna, { status_text: 'here', emoji_name: 'car' })
  const channel = await org.channel({ subscribers: [guest] })
  const unaware = { notification_settings_null: true, user_list_incomplete: false }
  const clients = [await guest.register(), await guest.register({ client_capabilities: unaware })] as const
  const bens = await ben.register()
  await anna.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
  for (const client of clients) {
    const events = (await client.events()).filter(({ type }) => ['realm_user', 'user_status'].includes(type))
    expect(events).toMatchObject([
      { type: 'realm_user', op: 'add' },
      { type: 'user_status', user_id: anna.id, status_text: 'here', ...car },
    ])
    await client.expectStateToMatch()
  }
  await anna.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  for (const client of clients) {
    await client.expectStateToMatch()
    expect((await guest.register()).state.user_status).toEqual({})
  }
  await anna.post('/messages', { type: 'direct', to: [guest.id], content: 'hi' })
  for (const client of clients) await client.expectStateToMatch()
  expect((await bens.events()).map(({ type }) => type)).not.toContain('user_status')
})

test('a deactivated user has no status, and a reactivated one has it again', async () => {
  const { admin, anna, ben } = await setting()
  await say(anna, { status_text: 'here' })
  const client = await ben.register()
  const users = await ben.register({ fetch_event_types: ['user_status'] })
  await admin.delete(`/users/${anna.id}`)
  for (const one of [client, users]) await one.expectStateToMatch()
  await admin.post(`/users/${anna.id}/reactivate`)
  expect((await client.events()).at(-1)).toMatchObject({ user_id: anna.id, status_text: 'here' })
  for (const one of [client, users]) await one.expectStateToMatch()
})
