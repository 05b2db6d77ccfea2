import { describe, expect, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import { forbidding } from '../../../../test/forbid.ts'
import { direct, sender } from '../../../../test/messages.ts'
import { annaAndBen, type Organization } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'

const w = testServer()

/** Returns an organization, a user with an event queue, and a channel. */
async function setting() {
  const { org, anna, ben, channel } = await annaAndBen(await w.organization())
  const client = await anna.register({ event_types: ['message'] })
  const echo = { queue_id: client.queueId, local_id: '17.01' }
  return { org, anna, ben, channel, client, echo }
}

async function shown(client: Client): Promise<string[]> {
  return (await client.events()).map((event) => event.message.content.replace(/<.*?>/g, ''))
}

async function sent(person: Person, message: object, options = {}): Promise<number> {
  const { body } = await person.post('/messages', { ...message }, options)
  expect(body).toMatchObject({ result: 'success' })
  return body.id
}

describe('the same queue_id and local_id', () => {
  test('with the same message: returns the first id and sends nothing', async () => {
    const { anna, client, echo } = await setting()
    const message = { type: 'direct', to: [anna.id], content: 'once', ...echo }
    const ids = await Promise.all([1, 2, 3].map(() => sent(anna, message)))
    ids.push(await sent(anna, message), await sent(anna, { ...message, type: 'private', to: [anna.email] }))
    expect(new Set(ids).size).toBe(1)
    expect(await shown(client)).toEqual(['once'])
  })

  test('with another text, topic or recipient: sends a separate message', async () => {
    const { org, anna, ben, channel, client, echo } = await setting()
    const other = await org.channel({ subscribers: [anna, ben] })
    const first = { type: 'channel', to: channel.id, topic: 't', content: 'first', ...echo }
    const messages = [
      first,
      { ...first, content: 'another text' },
      { ...first, content: 'first ' },
      { ...first, topic: 'u' },
      { ...first, to: other.id },
      { ...first, type: 'direct', to: [ben.id] },
      { ...first, type: 'direct', to: [anna.id] },
    ]
    const ids = []
    for (const message of messages) ids.push(await sent(anna, message))
    expect(new Set(ids).size).toBe(messages.length)
    expect(await client.events()).toHaveLength(messages.length)
    expect(await sent(anna, { ...first, to: channel.name })).toBe(ids[0])
  })

  test('with long local_ids that differ at the end: sends two messages', async () => {
    const { anna, echo } = await setting()
    const send = (local_id: string) =>
      sent(anna, { type: 'direct', to: [anna.id], content: 'x', ...echo, local_id })
    const long = 'l'.repeat(500)
    const [one, other] = [await send(`${long}1`), await send(`${long}2`)]
    expect(other).not.toBe(one)
    expect(await send(`${long}1`)).toBe(one)
  })

  test.each([
    ['empty', { queue_id: '', local_id: '' }],
    ['no queue’s', { queue_id: 'my queue', local_id: '1' }],
    ['a queue’s that never was', { queue_id: '0f0e0d0c-0b0a-4908-8706-050403020100', local_id: '1' }],
    ['a local_id alone', { local_id: '1' }],
  ])('%s: no repeat', async (_, names) => {
    const { anna, client } = await setting()
    const message = { type: 'direct', to: [anna.id], content: 'again', ...names }
    expect(await sent(anna, message)).not.toBe(await sent(anna, message))
    expect(await shown(client)).toEqual(['again', 'again'])
  })

  test('of an expired queue, or of another user: no repeat', async () => {
    const { anna, ben, client, echo } = await setting()
    const message = { type: 'direct', to: [anna.id], content: 'x', ...echo }
    const bens = [await sent(ben, message), await sent(ben, message)]
    const first = await sent(anna, message)
    await anna.delete('/events', { queue_id: client.queueId })
    const second = await sent(anna, message)
    expect(new Set([...bens, first, second]).size).toBe(4)
  })

  test('after the message was deleted: does not send the same message again, but sends another one', async () => {
    const { org, echo } = await setting()
    const { owner } = org
    const client = await owner.register({ event_types: ['message', 'delete_message'] })
    const message = { type: 'direct', to: [owner.id], content: 'x', ...echo, queue_id: client.queueId }
    const id = await sent(owner, message)
    expect((await owner.delete(`/messages/${id}`)).body.result).toBe('success')
    expect(await sent(owner, message)).toBe(id)
    expect(await sent(owner, { ...message, content: 'y' })).not.toBe(id)
    // The sending client receives the first message even though it was deleted before the client polled.
    const types = (await client.events()).map(({ type }) => type)
    expect(types).toEqual(['message', 'delete_message', 'message'])
  })

  test('by a user who may not write there any more: returns the first id', async () => {
    const { org, anna, channel, echo } = await setting()
    const message = { type: 'channel', to: channel.id, topic: 't', content: 'x', ...echo }
    const id = await sent(anna, message)
    expect((await org.owner.delete(`/streams/${channel.id}`)).body.result).toBe('success')
    expect(await sent(anna, message)).toBe(id)
    expect((await anna.post('/messages', { ...message, content: 'y' })).status).toBe(400)
  })

  test('queue_id requires a local_id', async () => {
    const { anna, client } = await setting()
    for (const names of [{ queue_id: client.queueId }, { queue_id: client.queueId, local_id: '' }]) {
      const answer = await anna.post('/messages', { type: 'direct', to: [anna.id], content: 'x', ...names })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'local_id' argument", var_name: 'local_id' },
      })
    }
    expect(await client.events()).toEqual([])
  })
})

describe('a repeated send', () => {
  const ways = [
    ['by queue_id and local_id', true],
    ['by Idempotency-Key', false],
  ] as const

  test.each(ways)(
    'follows no topic again that was left meanwhile, and has the first answer (%s)',
    async (_, isEcho) => {
      const { anna, ben, channel, echo } = await setting()
      const message = {
        type: 'channel',
        to: channel.id,
        topic: 'new',
        content: 'Hi @**Ben**',
        ...(isEcho && echo),
      }
      const send = () =>
        anna.post('/messages', message, isEcho ? {} : { headers: { 'idempotency-key': 'k' } })
      const first = await send()
      expect(first.body).toMatchObject({ automatic_new_visibility_policy: 3 })
      for (const one of [anna, ben]) {
        await one.post('/user_topics', { stream_id: channel.id, topic: 'new', visibility_policy: 0 })
      }
      expect((await send()).body).toEqual(first.body)
      for (const one of [anna, ben]) {
        expect((await one.register({ fetch_event_types: ['user_topic'] })).state.user_topics).toEqual([])
      }
    },
  )

  test('does not affect other messages of its batch', async () => {
    const { anna, echo } = await setting()
    const send = (content: string, names = {}) =>
      sent(anna, { type: 'direct', to: [anna.id], content, ...names })
    const first = await send('first', echo)
    const ids = await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => send(`message ${i}`)),
      send('first', echo),
      ...Array.from({ length: 20 }, (_, i) => send(`message ${20 + i}`)),
    ])
    expect(ids[20]).toBe(first)
    const { body } = await anna.get('/messages', { anchor: 'newest', num_before: 100 })
    expect(body.messages).toHaveLength(41)
  })
})

describe('a rejected send', () => {
  const forbiddingText = (text: string, work: () => Promise<void>) =>
    forbidding(w.databaseUrl, { table: 'message', unless: `content <> '${text}'` }, work)

  async function leavesNothing(org: Organization, refused: () => Promise<{ body: { result: string } }>) {
    const before = org.log.state.position
    expect((await refused()).body.result).toBe('error')
    expect(org.log.state.position).toBe(before)
  }

  test('creates no conversation', async () => {
    const { org, anna, ben } = await setting()
    const group = await org.owner.post('/user_groups/create', {
      name: 'quiet',
      description: '',
      members: [ben.id],
      can_mention_group: org.group('role:nobody'),
    })
    expect(group.body.result).toBe('success')
    const message = { type: 'direct', to: [ben.id], content: 'Hi @*quiet*' }
    await leavesNothing(org, () => anna.post('/messages', message))
    await forbiddingText('not this', () =>
      leavesNothing(org, () => anna.post('/messages', { ...message, content: 'not this' })),
    )
    await direct(anna, [ben], 'but this')
  })

  test('changes no visibility policy of a topic', async () => {
    const { org, anna, ben, channel } = await setting()
    const message = { type: 'channel', to: channel.id, topic: 't', content: 'Hi @**Ben**' }
    await forbiddingText(message.content, () => leavesNothing(org, () => anna.post('/messages', message)))
    const [hers, his] = [await anna.register(), await ben.register()]
    await sender(anna, channel)('t', 'Hi @**Ben**')
    for (const client of [hers, his]) {
      const events = await client.events()
      expect(events.map(({ type }) => type)).toEqual(['muted_topics', 'user_topic', 'message'])
      await client.expectStateToMatch()
    }
  })

  test('the first message of a conversation is complete: it has its recipients, mentions and called bots', async () => {
    const { anna, ben } = await setting()
    const [hers, his] = [await anna.register(), await ben.register()]
    await direct(anna, [ben], 'Hi @**Ben**')
    expect(await his.events()).toMatchObject([{ type: 'message', flags: ['mentioned'] }])
    for (const client of [hers, his]) await client.expectStateToMatch()
  })
})
