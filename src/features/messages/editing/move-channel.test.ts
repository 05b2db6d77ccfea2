import { describe, expect, test, vi } from 'vitest'
import type { Wire } from '../../../../test/client.ts'
import { contentsOf, messageIn, sender } from '../../../../test/messages.ts'
import type { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'

const { organization, anotherNode } = testServer()

const silently = { send_notification_to_new_thread: false }

describe('PATCH /messages/{id} with another channel', () => {
  test('notifies everyone who had the message, and deletes it for users who lose access', async () => {
    const org = await organization()
    const [anna, ben, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
    const from = await org.channel({ subscribers: [org.owner, anna, ben, guest] })
    const open = await org.channel({ subscribers: [org.owner, anna] })
    const closed = await org.channel({
      subscribers: [org.owner, anna],
      isPrivate: true,
      hasOpenHistory: true,
    })
    const send = sender(org.owner, from)
    const ids = [await send('t', 'a'), await send('t', 'b')]
    await send('other', 'stays')
    const people = [anna, ben, guest]
    const clients = [await anna.register(), await ben.register(), await guest.register()] as const
    const heard = () => Promise.all(clients.map((client) => client.events()))
    await ben.post('/messages/flags', { messages: [ids[1]], op: 'add', flag: 'starred' })
    await heard()
    const gone = { type: 'delete_message', message_type: 'stream', stream_id: from.id, topic: 't' }

    await org.owner.patch(`/messages/${ids[0]}`, { stream_id: open.id, ...silently })
    const moved = { type: 'update_message', stream_id: from.id, new_stream_id: open.id, orig_subject: 't' }
    expect(await heard()).toMatchObject([
      [{ ...moved, message_ids: [ids[0]], flags: [] }],
      [{ ...moved, message_ids: [ids[0]], flags: ['read'] }],
      [{ ...gone, message_ids: [ids[0]] }],
    ])

    await org.owner.patch(`/messages/${ids[1]}`, { stream_id: closed.id, topic: 'new', ...silently })
    expect(await heard()).toMatchObject([
      [{ new_stream_id: closed.id, subject: 'new', flags: [] }],
      [{ ...gone, message_ids: [ids[1]] }],
      [{ ...gone, message_ids: [ids[1]] }],
    ])

    for (const client of clients) await client.expectStateToMatch()
    const texts = await Promise.all(people.map((who) => who.get(`/messages/${ids[1]}`)))
    expect(texts.map((answer) => answer.status)).toEqual([200, 400, 400])
    expect(await messageIn(anna, ids[1]!)).toMatchObject({
      stream_id: closed.id,
      edit_history: [{ prev_stream: from.id, stream: closed.id, prev_topic: 't', topic: 'new' }],
    })
  })

  test('keeps the read state, and new readers get nothing unread', async () => {
    const org = await organization()
    const [anna, ben, carl] = [await org.person(), await org.person(), await org.person()]
    const from = await org.channel({ subscribers: [anna, ben] })
    const to = await org.channel({ subscribers: [anna, carl] })
    const [send, there] = [sender(org.owner, from), sender(org.owner, to)]
    const ids = [await send('t', '1'), await there('x', '2'), await send('t', '3'), await send('t', '4')]
    const later = await there('x', '5')
    const stays = await send('other', '6')
    for (const who of [anna, ben]) {
      await who.post('/messages/flags', { messages: [ids[0], ids[3], stays], op: 'add', flag: 'read' })
    }
    // The range that carl has read covers the ids of the other channel as well.
    await carl.post('/messages/flags', { messages: [ids[1], later], op: 'add', flag: 'read' })
    const clients = [await anna.register(), await ben.register(), await carl.register()]

    await org.owner.patch(`/messages/${ids[0]}`, {
      stream_id: to.id,
      propagate_mode: 'change_all',
      ...silently,
    })

    for (const client of clients) await client.expectStateToMatch()
    const unread = async (who: typeof anna) => {
      const { body } = await who.post('/register', { event_types: ['message', 'update_message_flags'] })
      return body.unread_msgs.streams
    }
    expect(await unread(anna)).toEqual([
      { stream_id: to.id, topic: 'x', unread_message_ids: [ids[1], later] },
      { stream_id: to.id, topic: 't', unread_message_ids: [ids[2]] },
    ])
    expect(await unread(ben)).toEqual([])
    expect(await unread(carl)).toEqual([])
    // The state stays the same when the message moves back.
    await org.owner.patch(`/messages/${ids[0]}`, {
      stream_id: from.id,
      propagate_mode: 'change_all',
      ...silently,
    })
    expect(await unread(anna)).toEqual([
      { stream_id: to.id, topic: 'x', unread_message_ids: [ids[1], later] },
      { stream_id: from.id, topic: 't', unread_message_ids: [ids[2]] },
    ])
    for (const client of clients) await client.expectStateToMatch()
  })

  test('keeps unread messages unread through random moves', async () => {
    const org = await organization()
    const people = [await org.person(), await org.person(), await org.person()]
    const [a, b, c] = people as [Person, Person, Person]
    const channels = [
      { ...(await org.channel({ subscribers: [a, b] })), readers: [a, b] },
      { ...(await org.channel({ subscribers: [a, c] })), readers: [a, c] },
      { ...(await org.channel({ subscribers: people })), readers: people },
    ]
    const place = new Map<number, (typeof channels)[number]>()
    const unread = new Map(people.map((person) => [person, new Set<number>()]))
    const pick = randomly(7)
    for (let step = 0; step < 150; step++) {
      const ids = [...place.keys()]
      const kind = pick(['send', 'send', 'read', 'move'])
      if (kind === 'send' || ids.length === 0) {
        const channel = pick(channels)
        const id = await sender(org.owner, channel)(pick(['x', 'y']), 'a')
        place.set(id, channel)
        for (const person of channel.readers) unread.get(person)!.add(id)
      } else if (kind === 'read') {
        const person = pick(people)
        const some = ids.slice(pick([0, 1, 2, 3])).filter((_, i) => i % pick([1, 2, 3]) === 0)
        await person.post('/messages/flags', { messages: some, op: 'add', flag: 'read' })
        for (const id of some) unread.get(person)!.delete(id)
      } else {
        const to = pick(channels)
        const propagate_mode = pick(['change_one', 'change_all'])
        const target = pick(ids)
        const moved = await idsMoved(org.owner, target, propagate_mode)
        await org.owner.patch(`/messages/${target}`, { stream_id: to.id, propagate_mode, ...silently })
        for (const id of moved) place.set(id, to)
        for (const person of people.filter((person) => !to.readers.includes(person))) {
          for (const id of moved) unread.get(person)!.delete(id)
        }
      }
    }
    for (const person of people) {
      const { body } = await person.post('/register', { event_types: ['message', 'update_message_flags'] })
      const found = body.unread_msgs.streams.flatMap(
        (one: { unread_message_ids: number[] }) => one.unread_message_ids,
      )
      expect(found.sort(rising)).toEqual([...unread.get(person)!].sort(rising))
    }
  })

  test('to a channel that a user joined after it was sent makes it historical for them', async () => {
    const org = await organization()
    const anna = await org.person()
    const from = await org.channel({ subscribers: [anna] })
    const id = await sender(org.owner, from)('t', 'a')
    const to = await org.channel({ subscribers: [anna] })
    await sender(org.owner, to)('other', 'newer')
    const client = await anna.register()
    await org.owner.patch(`/messages/${id}`, { stream_id: to.id, ...silently })
    expect((await client.events()).map((event) => event.type)).toEqual([
      'update_message',
      'update_message_flags',
    ])
    await client.expectStateToMatch()
  })

  test('to a channel with protected history shows it to subscribers and hides it from later subscribers', async () => {
    const org = await organization()
    const [anna, ben] = [await org.person(), await org.person()]
    const to = await org.channel({ subscribers: [org.owner, anna], isPrivate: true })
    const from = await org.channel({ subscribers: [org.owner] })
    const id = await sender(org.owner, from)('t', 'a')
    await org.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: to.name }],
      principals: [ben.id],
    })
    const [hers, his] = [await anna.register(), await ben.register()]
    await org.owner.patch(`/messages/${id}`, { stream_id: to.id, ...silently })
    expect(await hers.events()).toMatchObject([{ message_ids: [id], flags: ['read'] }])
    expect(await his.events()).toEqual([])
    expect(await contentsOf(anna, to)).toEqual([['t', 'a']])
    expect((await ben.get(`/messages/${id}`)).status).toBe(400)
    for (const client of [hers, his]) await client.expectStateToMatch()
  })

  test.each([
    ['public', {}],
    ['private', { isPrivate: true, hasOpenHistory: true }],
    ['protected', { isPrivate: true }],
  ])('notifies subscribers of the new, %s channel who never had it', async (_, kind) => {
    const org = await organization()
    const [anna, guest] = [await org.person(), await org.person({ role: 'guest' })]
    const to = await org.channel({ subscribers: [org.owner, anna, guest], ...kind })
    const from = await org.channel({ subscribers: [org.owner], isPrivate: true, hasOpenHistory: true })
    const id = await sender(org.owner, from)('t', 'a')
    const clients = [await anna.register(), await guest.register()]
    await org.owner.patch(`/messages/${id}`, { stream_id: to.id, ...silently })
    for (const client of clients) {
      const moved = { stream_id: from.id, new_stream_id: to.id, message_ids: [id], flags: ['read'] }
      const events = await client.events()
      expect(events).toMatchObject([moved])
      expect(JSON.stringify(events)).not.toContain(from.name)
      await client.expectStateToMatch()
    }
  })

  test('hides the message from users who had not fetched it yet', async () => {
    const org = await organization()
    const anna = await org.person()
    const from = await org.channel({ subscribers: [org.owner, anna] })
    const closed = await org.channel({ subscribers: [org.owner], isPrivate: true })
    const client = await anna.register()
    const id = await sender(org.owner, from)('t', 'for your eyes only')
    await org.owner.patch(`/messages/${id}`, { content: 'still for your eyes only' })
    await org.owner.patch(`/messages/${id}`, { stream_id: closed.id, ...silently })
    const heard = await client.events()
    expect(JSON.stringify(heard)).not.toContain('eyes')
    expect(heard.map((event) => event.type)).not.toContain('message')
    await client.expectStateToMatch()
  })

  test('emits the same events on another node', async () => {
    const org = await organization()
    const anna = await org.person()
    const from = await org.channel({ subscribers: [org.owner, anna] })
    const open = await org.channel({ subscribers: [anna] })
    const closed = await org.channel({ subscribers: [org.owner], isPrivate: true })
    const send = sender(org.owner, from)
    await send('other', 'stays')
    const ids = [
      await send('t', 'one'),
      await send('t', 'two'),
      await send('t', 'three'),
      await send('t', 'four'),
    ]
    const { port } = await anotherNode()
    const client = await anna.at({ port, host: org.place.host }).register()
    await org.owner.patch(`/messages/${ids[0]}`, { content: 'changed' })
    await org.owner.patch(`/messages/${ids[0]}`, { stream_id: open.id, ...silently })
    await org.owner.patch(`/messages/${ids[1]}`, { stream_id: closed.id, ...silently })
    await org.owner.delete(`/messages/${ids[2]}`)
    const heard: Wire[] = []
    await vi.waitFor(
      async () => {
        heard.push(...(await client.events()))
        expect(heard).toHaveLength(4)
      },
      { timeout: 20_000 },
    )
    expect(heard).toMatchObject([
      { type: 'update_message', orig_content: 'one', content: 'changed' },
      { type: 'update_message', new_stream_id: open.id },
      { type: 'delete_message', message_ids: [ids[1]] },
      { type: 'delete_message', message_ids: [ids[2]] },
    ])
    await client.expectStateToMatch()
  })

  test('is refused for impossible targets', async () => {
    const org = await organization()
    const anna = await org.person()
    const from = await org.channel({ subscribers: [anna] })
    const secret = await org.channel({ isPrivate: true })
    const news = await org.channel({ permissions: { can_send_message_group: 'role:administrators' } })
    const id = await sender(anna, from)('t', 'a')
    const msg = async (stream_id: number) => (await anna.patch(`/messages/${id}`, { stream_id })).body.msg
    expect(await msg(99_999)).toBe('Invalid channel ID')
    expect(await msg(secret.id)).toBe('Invalid channel ID')
    expect(await msg(news.id)).toBe('You do not have permission to post in this channel.')
    await org.owner.delete(`/streams/${from.id}`)
    expect(await msg(news.id)).toBe('Invalid message(s)')
  })
})

const rising = (a: number, b: number) => a - b

/** Returns the ids of the messages that will move together with a message. */
async function idsMoved(person: Person, target: number, mode: string): Promise<number[]> {
  if (mode === 'change_one') return [target]
  const { stream_id, subject } = await messageIn(person, target)
  const narrow = [
    { operator: 'channel', operand: stream_id },
    { operator: 'topic', operand: subject },
  ]
  const { body } = await person.get('/messages', { anchor: 'newest', num_before: 1000, narrow })
  return body.messages.map((message: { id: number }) => message.id)
}

/** Returns a deterministic pseudo-random picker. */
function randomly(seed: number) {
  let state = seed
  return <T>(items: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return items[Math.floor((state / 2_147_483_648) * items.length)]!
  }
}
