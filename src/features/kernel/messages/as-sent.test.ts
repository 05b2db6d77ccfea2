import { describe, expect, test } from 'vitest'
import { sender } from '../../../../test/messages.ts'
import type { Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { startNode, testServer } from '../../../../test/test-server.ts'

const server = testServer()
const { organization } = server

async function setting() {
  const org = await organization()
  const [anna, ben] = [await org.person({ name: 'Anna' }), await org.person({ name: 'Ben' })]
  const channel = await org.channel({ subscribers: [org.owner, anna, ben] })
  return { org, anna, ben, channel }
}

/** Returns the events of a queue. Reads them on a node that has the messages in memory, and on one that reads the log. */
async function eventsOnBothNodes(person: Person, queueId: string, after: number) {
  const params = { queue_id: queueId, last_event_id: after, dont_block: true }
  const fresh = await startNode(server.databaseUrl)
  const there = person.at({ ...person.place, port: fresh.port })
  const answers = await Promise.all([person, there].map((one) => one.get('/events', params)))
  await fresh.close()
  for (const { body } of answers) expect(body).toMatchObject({ result: 'success' })
  const [near, far] = answers.map(({ body }) => body.events)
  expect(near).toEqual(far)
  return near
}

const event_types = ['message', 'update_message', 'delete_message']

async function listening(...people: Person[]) {
  const clients = await Promise.all(
    people.map((person) => person.register({ apply_markdown: false, event_types })),
  )
  const after = clients[0]!.state.last_event_id as number
  return clients.map(({ queueId }, i) => ({
    queueId,
    events: () => eventsOnBothNodes(people[i]!, queueId, after),
  }))
}

test('the event of an edit says of its own text whether it tells what the sender does', async () => {
  const { anna, ben, channel } = await setting()
  const [bens] = await listening(ben)
  const id = await sender(anna, channel)('t', 'hello')
  for (const content of ['/me waves', 'bye']) await anna.patch(`/messages/${id}`, { content })
  const edits = (await bens!.events()).slice(1)
  expect(edits).toMatchObject([
    { content: '/me waves', is_me_message: true },
    { content: 'bye', is_me_message: false },
  ])
})

describe('a message event shows the message as it was sent', () => {
  test('although it was edited, moved and renamed before the client fetched it', async () => {
    const { org, anna, ben, channel } = await setting()
    const elsewhere = await org.channel({ subscribers: [org.owner, anna, ben] })
    const [bens] = await listening(ben)
    const id = await sender(anna, channel)('first topic', '/me asks @**Ben** and @**all**')
    await anna.patch(`/messages/${id}`, { content: 'nothing' })
    await org.owner.patch(`/messages/${id}`, { topic: 'second topic', propagate_mode: 'change_one' })
    await org.owner.patch(`/messages/${id}`, { stream_id: elsewhere.id, propagate_mode: 'change_one' })
    await anna.patch(`/messages/${id}`, { content: 'nothing at all' })
    const events = await bens!.events()
    expect(events[0]).toMatchObject({
      type: 'message',
      flags: ['mentioned', 'stream_wildcard_mentioned', 'wildcard_mentioned'],
      message: {
        id,
        content: '/me asks @**Ben** and @**all**',
        is_me_message: true,
        subject: 'first topic',
        stream_id: channel.id,
      },
    })
    expect(events[0].message).not.toHaveProperty('last_edit_timestamp')
    expect(events[0].message).not.toHaveProperty('edit_history')
    const updates = events.filter((event: { type: string }) => event.type === 'update_message')
    expect(updates).toMatchObject([
      { content: 'nothing', flags: [] },
      { orig_subject: 'first topic', subject: 'second topic' },
      { new_stream_id: elsewhere.id },
      { content: 'nothing at all' },
    ])
  })

  test('and notifies no user whom only an edit mentions', async () => {
    const { anna, ben, channel } = await setting()
    const [bens] = await listening(ben)
    const id = await sender(anna, channel)('t', 'quiet')
    await anna.patch(`/messages/${id}`, { content: '@**Ben** @**all**' })
    const [message, update] = await bens!.events()
    expect(message).toMatchObject({ flags: [], message: { content: 'quiet' } })
    expect(update.flags).toContain('mentioned')
  })

  test('but not for users who may no longer see it', async () => {
    const { org, anna, ben, channel } = await setting()
    const closed = await org.channel({ subscribers: [org.owner, anna], isPrivate: true })
    const [bens, annas] = await listening(ben, anna)
    const moved = await sender(anna, channel)('t', 'goes away')
    await org.owner.patch(`/messages/${moved}`, { stream_id: closed.id })
    const deleted = await sender(anna, channel)('t', 'is deleted')
    await org.owner.delete(`/messages/${deleted}`)
    const told = async (client: typeof bens) =>
      (await client!.events())
        .filter((event: { type: string }) => event.type === 'message')
        .map((event: { message: { content: string } }) => event.message.content)
    expect(await told(bens)).not.toContain('goes away')
    expect(await told(bens)).not.toContain('is deleted')
    expect(await told(annas)).toContain('goes away')
  })
})

describe('the echo of a local message', () => {
  async function sendWithEcho(person: Person, org: Organization, channelId: number, queueId: string) {
    const { body } = await person.post('/messages', {
      type: 'channel',
      to: channelId,
      topic: 't',
      content: 'from here',
      queue_id: queueId,
      local_id: '12.01',
    })
    expect(body.result).toBe('success')
    return { id: body.id as number, remove: () => org.owner.delete(`/messages/${body.id}`) }
  }

  test('has the name from the API description and the name that clients know', async () => {
    const { org, anna, ben, channel } = await setting()
    const [annas, bens] = await listening(anna, ben)
    await sendWithEcho(anna, org, channel.id, annas!.queueId)
    const [own] = await annas!.events()
    expect(own).toMatchObject({ type: 'message', local_id: '12.01', local_message_id: '12.01' })
    const [other] = await bens!.events()
    expect(other).not.toHaveProperty('local_id')
    expect(other).not.toHaveProperty('local_message_id')
  })

  test('reaches its sender although the message was deleted first', async () => {
    const { org, anna, ben, channel } = await setting()
    const [annas, bens] = await listening(anna, ben)
    const { id, remove } = await sendWithEcho(anna, org, channel.id, annas!.queueId)
    await remove()
    expect(await annas!.events()).toMatchObject([
      {
        type: 'message',
        local_id: '12.01',
        local_message_id: '12.01',
        flags: ['read'],
        message: { id, sender_id: anna.id, stream_id: channel.id, subject: 't', content: '' },
      },
      { type: 'delete_message', message_ids: [id] },
    ])
    expect(await bens!.events()).toMatchObject([{ type: 'delete_message', message_ids: [id] }])
  })

  test('reaches no other user: the named queue belongs to another user', async () => {
    const { org, anna, ben, channel } = await setting()
    const [bens] = await listening(ben)
    const { remove } = await sendWithEcho(anna, org, channel.id, bens!.queueId)
    expect((await bens!.events())[0]).not.toHaveProperty('local_id')
    await remove()
    expect(await bens!.events()).toMatchObject([{ type: 'delete_message' }])
  })
})
