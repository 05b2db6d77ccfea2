import { expect, test } from 'vitest'
import { report, twoAndGuest, written } from '../../../../test/presence.ts'
import { testServer } from '../../../../test/test-server.ts'
import { presenceLimits } from '../kernel/presence/limits.ts'

const here = testServer()
const { organization } = here

const setting = async () => twoAndGuest(await organization())

test('guests receive no presence of users whom they may not see', async () => {
  const { org, anna, guest } = await setting()
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  const client = await guest.register()
  await report(anna)
  expect(await client.events()).toEqual([])
  expect(Object.keys((await report(guest)).presences)).toEqual([guest.email])
  expect(Object.keys((await report(guest, { slim_presence: true })).presences)).toEqual([`${guest.id}`])
})

test('guests receive the presence of users whom they may see, written down or not', async () => {
  const { org, anna, ben, guest } = await setting()
  await org.channel({ subscribers: [anna, ben, guest] })
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  for (const who of [anna, ben]) {
    const before = org.log.state.position
    await report(who)
    await written(org, before)
  }
  // The guest's own first report, which notifies nobody, is written down a moment later.
  const { presences } = await report(guest, { status: 'idle', slim_presence: true })
  expect(Object.keys(presences).map(Number).sort()).toEqual([anna.id, ben.id, guest.id].sort())
  const { state } = await guest.register({ slim_presence: true })
  expect(state.presences).toEqual(presences)
})

test('guests receive the presence of a user whom they begin to see, and lose it with the user', async () => {
  const { org, anna, ben, guest } = await setting()
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  await report(anna)
  const channel = await org.channel({ subscribers: [guest] })
  const [slim, legacy] = [await guest.register({ slim_presence: true }), await guest.register()]
  const bens = await ben.register()
  await anna.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
  for (const client of [slim, legacy]) {
    const events = (await client.events()).filter(({ type }) => ['realm_user', 'presence'].includes(type))
    expect(events).toMatchObject([
      { type: 'realm_user', op: 'add' },
      { type: 'presence', user_id: anna.id, presence: { website: { status: 'active' } } },
    ])
    await client.expectStateToMatch()
  }
  await anna.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  for (const client of [slim, legacy]) await client.expectStateToMatch()
  expect((await bens.events()).map(({ type }) => type)).not.toContain('presence')
})

test('a client that asks for newer presence gets that of a user whom its guest has begun to see', async () => {
  const { org, anna, guest } = await setting()
  await org.owner.patch('/realm', { can_access_all_users_group: { new: org.group('role:members') } })
  await report(anna)
  const before = org.log.state.position
  const { presence_last_update_id: last_update_id } = await report(guest, { slim_presence: true })
  await written(org, before)
  await anna.post('/messages', { type: 'direct', to: [guest.id], content: 'hi' })
  expect((await report(guest, { last_update_id })).presences).toHaveProperty(`${anna.id}`)
})

test('a deactivated user has no presence, and a reactivated one has it again', async () => {
  const { org, anna, ben } = await setting()
  await report(anna)
  const clients = [await ben.register({ slim_presence: true }), await ben.register()]
  await org.owner.delete(`/users/${anna.id}`)
  for (const client of clients) await client.expectStateToMatch()
  await org.owner.post(`/users/${anna.id}/reactivate`)
  for (const client of clients) {
    expect((await client.events()).at(-1)).toMatchObject({ type: 'presence', user_id: anna.id })
    await client.expectStateToMatch()
  }
})

test('no presence is announced that a new client would not get', async () => {
  const { org, anna, ben } = await setting()
  const comeBack = async () => {
    await org.owner.delete(`/users/${anna.id}`)
    const client = await ben.register()
    await org.owner.post(`/users/${anna.id}/reactivate`)
    expect((await client.events()).map(({ type }) => type)).not.toContain('presence')
    await client.expectStateToMatch()
  }
  await comeBack()
  await report(anna)
  await org.owner.patch('/realm', { presence_disabled: true })
  await comeBack()
  await org.owner.patch('/realm', { presence_disabled: false })
  here.pass((presenceLimits.presenceHistoryDays + 1) * 86_400)
  await comeBack()
})
