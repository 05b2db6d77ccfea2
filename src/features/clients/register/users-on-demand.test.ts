import { expect, test } from 'vitest'
import { eventTypesWithoutUsers } from '../../../../test/event-types-without-users.ts'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const onDemand = { fetch_event_types: eventTypesWithoutUsers, slim_presence: true }

test('a client without the list of users follows all that happens to users', async () => {
  const { org, admin, anna, ben, guest } = await cast(await organization())
  const channel = await org.channel({ subscribers: [anna, ben, guest] })
  const people = (...ids: number[]) => ({ subscriptions: [{ name: channel.name }], principals: ids })
  const leave = (id: number) =>
    admin.delete('/users/me/subscriptions', { subscriptions: [channel.name], principals: [id] })
  const client = await anna.register({ ...onDemand, include_subscribers: '"partial"' })
  expect(client.state).not.toHaveProperty('realm_users')

  await org.log.commit((change) => change.update('account', { id: admin.id, can_create_users: true }))
  const account = { email: 'new@example.com', password: 'a long enough password', full_name: 'New' }
  const { user_id } = (await admin.post('/users', account)).body
  expect(user_id).toEqual(expect.any(Number))
  await admin.post('/users/me/subscriptions', people(user_id))
  await admin.post('/user_groups/create', { name: 'new', description: '', members: [user_id, ben.id] })
  const only = { direct_members: [user_id, anna.id], direct_subgroups: [] }
  await admin.patch(`/streams/${channel.id}`, { can_send_message_group: { new: only } })
  await admin.patch(`/users/${user_id}`, { full_name: 'Newer', role: 300 })
  await ben.patch('/settings', { full_name: 'Benjamin', email_address_visibility: 5 })
  await ben.post('/users/me/presence', { status: 'active' })
  await leave(guest.id)
  await client.expectStateToMatch()

  await admin.delete(`/users/${user_id}`)
  await client.expectStateToMatch()
  await admin.post(`/users/${user_id}/reactivate`)
  await admin.patch(`/users/${anna.id}`, { role: 300 })
  await client.expectStateToMatch()
})
