import { expect, test } from 'vitest'
import { type Client, everyCapability } from '../../../../test/client.ts'
import { sender } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

/** A user with a client of each kind, and a user who writes to them. */
async function setting() {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person()])
  const channel = await org.channel({ subscribers: [org.owner, anna, ben] })
  const send = sender(anna, channel)
  const set = (topic: string, visibility_policy: number) =>
    ben.post('/user_topics', { stream_id: channel.id, topic, visibility_policy })
  const mark = (op: string, messages: number[]) => ben.post('/messages/flags', { messages, op, flag: 'read' })
  const registered = async () => ({
    aware: await ben.register(),
    unaware: await ben.register({ client_capabilities: { ...everyCapability, empty_topic_name: false } }),
    oldest: await ben.register({ client_capabilities: undefined }),
  })
  return { org, anna, ben, channel, send, set, mark, registered }
}

/** The topics in a client's state. */
function topicsIn({ state }: Client) {
  return {
    unread: state.unread_msgs.streams.map((one: { topic: string }) => one.topic).sort(),
    withPolicy: state.user_topics.map((one: { topic_name: string }) => one.topic_name),
    muted: state.muted_topics.map(([, topic]: string[]) => topic),
  }
}

test('a client without support for the empty topic registers with its display name, others with the empty name', async () => {
  const { send, set, registered } = await setting()
  await send('', 'x')
  await send('lunch', 'x')
  await set('', 1)
  await set('lunch', 3)
  const { aware, unaware, oldest } = await registered()
  expect(topicsIn(aware)).toEqual({ unread: ['', 'lunch'], withPolicy: ['', 'lunch'], muted: [''] })
  for (const client of [unaware, oldest]) {
    expect(topicsIn(client)).toEqual({
      unread: ['general chat', 'lunch'],
      withPolicy: ['general chat', 'lunch'],
      muted: ['general chat'],
    })
  }
})

test('events use that name as well', async () => {
  const { channel, send, set, mark, registered } = await setting()
  const id = await send('', 'x')
  await mark('add', [id])
  const clients = await registered()
  await set('', 1)
  await mark('remove', [id])
  for (const [kind, client] of Object.entries(clients)) {
    const topic = kind === 'aware' ? '' : 'general chat'
    expect(await client.events()).toMatchObject([
      { type: 'muted_topics', muted_topics: [[channel.name, topic, expect.any(Number)]] },
      { type: 'user_topic', stream_id: channel.id, topic_name: topic, visibility_policy: 1 },
      { type: 'update_message_flags', op: 'remove', message_details: { [id]: { type: 'stream', topic } } },
    ])
    await client.expectStateToMatch()
  }
})

test('a topic called General Chat is a different one, for clients of either kind', async () => {
  const { org, send, set, mark, registered } = await setting()
  await send('GENERAL CHAT', 'x')
  const clients = Object.values(await registered())
  const match = async () => {
    for (const client of clients) await client.expectStateToMatch()
  }
  const [empty, named] = [await send('', 'x'), await send('General Chat', 'x')]
  await match()
  await mark('add', [empty, named])
  await mark('remove', [named, empty])
  await match()
  for (const topic of ['', 'General Chat', 'GENERAL chat']) await set(topic, 3)
  await set('general chat', 1)
  await match()
  const move = async (id: number, topic: string) => {
    const { body } = await org.owner.patch(`/messages/${id}`, { topic, propagate_mode: 'change_one' })
    expect(body).toMatchObject({ result: 'success' })
  }
  await move(named, '')
  await match()
  await move(empty, 'General CHAT')
  await match()
  await set('general CHAT', 0)
  await set('', 0)
  await org.owner.delete(`/messages/${named}`)
  await match()
})

test('a direct message has no topic', async () => {
  const { anna, ben } = await setting()
  const { id } = (await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'one' })).body
  await anna.patch(`/messages/${id}`, { content: 'two' })
  const client = await ben.register({ client_capabilities: undefined })
  await ben.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  await ben.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' })
  expect((await client.events()).at(-1)!.message_details[id]).toEqual({
    type: 'private',
    user_ids: [anna.id],
  })
  const { message_history } = (await ben.get(`/messages/${id}/history`)).body
  expect(message_history).toMatchObject([
    { topic: '', content: 'one' },
    { topic: '', content: 'two' },
  ])
})

// The database has one lower-case letter for each of these, while JavaScript makes two of İ and looks at what follows Σ.
test('spellings of a topic are the same to a client whenever they are to the database', async () => {
  const { ben, channel, send, set, registered } = await setting()
  await send('İskele', 'x')
  await send('ΛΙΜΕΝΑΣ', 'x')
  await set('İskele', 1)
  const clients = Object.values(await registered())
  await send('iskele', 'x')
  await send('λιμενασ', 'x')
  await set('iskele', 3)
  const { body } = await ben.get(`/users/me/${channel.id}/topics`)
  expect(body.topics).toHaveLength(2)
  for (const client of clients) {
    await client.events()
    await client.expectStateToMatch()
  }
  const { aware } = await registered()
  expect(topicsIn(aware)).toEqual({ unread: ['İskele', 'ΛΙΜΕΝΑΣ'], withPolicy: ['iskele'], muted: [] })
})
