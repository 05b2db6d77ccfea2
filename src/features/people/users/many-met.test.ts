import { expect, test } from 'vitest'
import { type Client, poll } from '../../../../test/client.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'
import { personLimits } from '../kernel/users/limits.ts'

const { organization } = sharedServer()

/** A guest who may not see all users, and a channel of some users whom the guest does not know. */
async function cast(count: number) {
  const org = await organization()
  const { owner } = org
  const guest = await org.person({ role: 'guest' })
  const channel = await org.channel({ subscribers: [owner] })
  const rows = await org.log.commit((change) =>
    change.insertAll(
      'account',
      Array.from({ length: count }, (_, i) => ({
        delivery_email: `person${i}@example.com`,
        full_name: `Person ${i}`,
        role: 400,
        created_at: change.now,
      })),
    ),
  )
  const subscriptions = [{ name: channel.name }]
  const principals = rows.map(({ id }) => id)
  await owner.post('/users/me/subscriptions', { subscriptions, principals })
  const new_value = org.group('role:members')
  const { body } = await owner.patch('/realm', { can_access_all_users_group: { new: new_value } })
  expect(body.result).toBe('success')
  return { org, owner, guest, subscriptions, names: [channel.name], principals: [guest.id] }
}

/** Reads all events of a queue. Returns the code of the error with which it ends, if it does. */
async function codeOf(person: Person, { queueId, state }: Client): Promise<string | undefined> {
  for (let last = state.last_event_id; ; ) {
    const { events, code } = (await poll(person, queueId, last)).body
    if (!events?.length) return code
    last = events.at(-1).id
  }
}

const known = ({ state }: Client) =>
  state.realm_users.filter(({ full_name }: { full_name: string }) => full_name.startsWith('Person')).length

test('the clients of a guest who begins or ceases to see very many users register anew, and no others', async () => {
  const count = personLimits.usersMet + 1
  const { owner, guest, subscriptions, names, principals } = await cast(count)
  const [client, messages, owners] = [
    await guest.register(),
    await guest.register({ event_types: ['message'] }),
    await owner.register(),
  ]
  expect(known(client)).toBe(0)
  await owner.post('/users/me/subscriptions', { subscriptions, principals })
  expect(await codeOf(guest, client)).toBe('BAD_EVENT_QUEUE_ID')
  const again = await guest.register()
  expect(known(again)).toBe(count)
  await owner.delete('/users/me/subscriptions', { subscriptions: names, principals })
  expect(await codeOf(guest, again)).toBe('BAD_EVENT_QUEUE_ID')
  expect(known(await guest.register())).toBe(0)
  expect(await codeOf(guest, messages)).toBeUndefined()
  await owners.expectStateToMatch()
})

test('a guest who begins or ceases to see some users is told of each', async () => {
  const { owner, guest, subscriptions, names, principals } = await cast(20)
  const client = await guest.register()
  await owner.post('/users/me/subscriptions', { subscriptions, principals })
  await client.expectStateToMatch()
  await owner.delete('/users/me/subscriptions', { subscriptions: names, principals })
  await client.expectStateToMatch()
})
