import pg from 'pg'
import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'

const here = testServer()
const { organization, anotherNode } = here

test('during any activity, the state and its later events lead to the new state', async () => {
  const org = await organization()
  const people = [org.owner, await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const channel = await org.channel({ name: 'busy', subscribers: people })
  const second = { ...(await anotherNode()), host: org.place.host }
  let isOver = false
  const writing = Promise.all([talk(org, people, () => isOver), come(org, people[1]!, () => isOver)])
  const clients = []
  for (let round = 0; round < 24; round++) {
    const person = people[round % people.length]!
    clients.push(await (round % 3 === 2 ? person.at(second) : person).register())
  }
  isOver = true
  await writing
  expect(new Set(clients.map((client) => client.state.last_event_id)).size).toBeGreaterThan(6)
  for (const client of clients) await client.expectStateToMatch()
  expect(clients.at(-1)!.state.streams.map((one: { name: string }) => one.name)).toContain(channel.name)
})

/** Messages to the channel and to each other. */
async function talk({ owner }: Organization, people: Person[], isOver: () => boolean) {
  for (let i = 0; !isOver(); i++) {
    const sender = people[i % people.length]!
    await sender.post('/messages', { type: 'channel', to: 'busy', topic: `topic ${i % 5}`, content: `${i}` })
    await owner.post('/messages', {
      type: 'direct',
      to: people.slice(0, 1 + (i % 4)).map((one) => one.id),
      content: 'x',
    })
  }
}

/** Users come and go, and channels are created. */
async function come({ owner }: Organization, person: Person, isOver: () => boolean) {
  for (let i = 0; !isOver(); i++) {
    await person.delete('/users/me/subscriptions', { subscriptions: ['busy'] })
    await owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: `new ${i % 10}` }],
      principals: [person.id],
    })
    await person.post('/users/me/subscriptions', { subscriptions: [{ name: 'busy' }] })
    await owner.patch(`/users/${person.id}`, { full_name: `Person ${i}` })
  }
}

test('max_message_id is the newest message that a user received, even in a channel they have left', async () => {
  const org = await organization()
  const member = await org.person()
  const channel = await org.channel({ subscribers: [org.owner, member] })
  const secret = await org.channel({ subscribers: [org.owner], isPrivate: true })
  const send = async (to: string) => {
    const { body } = await org.owner.post('/messages', { type: 'channel', to, topic: 'a', content: 'hello' })
    return body.id as number
  }
  const newest = async () => {
    const { state } = await member.register({ event_types: ['message'] })
    expect((await member.get('/users/me')).body.max_message_id).toBe(state.max_message_id)
    return state.max_message_id
  }
  expect(await newest()).toBe(-1)
  const first = await send(channel.name)
  await send(secret.name)
  expect(await newest()).toBe(first)
  await member.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  await send(channel.name)
  expect(await newest()).toBe(first)
  const { body } = await org.owner.post('/messages', { type: 'direct', to: [member.id], content: 'hello' })
  expect(await newest()).toBe(body.id)
})

test('a client that only wants messages waits only for its own queue', async () => {
  const { owner } = await organization()
  await owner.register({ event_types: ['message'] })
  const busy = new pg.Client({ connectionString: here.databaseUrl })
  await busy.connect()
  try {
    await busy.query('BEGIN')
    await busy.query('LOCK realm, realm_head, event_log, account, message, read_state, subscription, channel')
    const client = await owner.register({ event_types: ['message'] })
    expect(client.state).toMatchObject({ max_message_id: -1 })
  } finally {
    await busy.end()
  }
})
