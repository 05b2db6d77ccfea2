import { describe, expect, test } from 'vitest'
import { sendTo } from '../../../../test/messages.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function conversation() {
  const { org, anna, ben, channel } = await annaAndBen(await organization())
  const ids: number[] = []
  for (let i = 0; i < 6; i++) ids.push(await sendTo(anna, channel.id, i % 2 ? 'odd' : 'even', `message ${i}`))
  const dm = (await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'dm' })).body.id as number
  return { org, anna, ben, channel, ids, dm }
}

async function fetch(who: Person, params: object) {
  const { body } = await who.get('/messages', { num_before: 0, num_after: 0, ...params })
  expect(body).toMatchObject({ result: 'success' })
  return { ...body, ids: body.messages.map((message: { id: number }) => message.id) }
}

function firstUnread(who: Person, ...terms: [operator: string, operand: unknown, not?: 'not'][]) {
  const narrow = terms.map(([operator, operand, not]) => ({ operator, operand, negated: not === 'not' }))
  return fetch(who, { use_first_unread_anchor: true, narrow }).then(({ anchor }) => anchor)
}

function mute(who: Person, channelId: number) {
  const subscription_data = [{ stream_id: channelId, property: 'is_muted', value: true }]
  return who.post('/users/me/subscriptions/properties', { subscription_data })
}

describe('GET /messages', () => {
  test('returns pages around anchors and reports the ends of the narrow', async () => {
    const { ben, channel, ids, dm } = await conversation()
    const narrow = [['channel', channel.name]]
    const all = await fetch(ben, { anchor: 'oldest', num_after: 100 })
    expect(all).toMatchObject({ ids: [...ids, dm], found_oldest: true, found_newest: true, anchor: 0 })
    const middle = await fetch(ben, { anchor: ids[2], num_before: 1, num_after: 1, narrow })
    expect(middle).toMatchObject({
      ids: [ids[1], ids[2], ids[3]],
      found_anchor: true,
      found_oldest: false,
      found_newest: false,
    })
    const newest = await fetch(ben, { anchor: 'newest', num_before: 2, narrow })
    expect(newest).toMatchObject({
      ids: [ids[4], ids[5]],
      found_newest: true,
      found_oldest: false,
      anchor: 10_000_000_000_000_000,
    })
    const excluded = await fetch(ben, { anchor: ids[2], num_before: 2, include_anchor: false, narrow })
    expect(excluded).toMatchObject({ ids: [ids[0], ids[1]], found_anchor: false })
  })

  test('returns the same message object by id and as part of a page', async () => {
    const { anna, ben, channel, ids, dm } = await conversation()
    await anna.patch(`/messages/${ids[0]}`, { content: 'changed “<b>”\n\n```js\na\n```' })
    await anna.patch(`/messages/${ids[1]}`, { topic: 'moved' })
    await ben.post(`/messages/${ids[2]}/reactions`, { emoji_name: 'smile' })
    await ben.post('/messages/flags', { messages: [ids[3], dm], op: 'add', flag: 'starred' })
    const others = [
      await sendTo(anna, channel.id, 'odd', '/poll Tea?\nyes\nno'),
      await sendTo(anna, channel.id, 'even', '/me waves \u2028 @**all**'),
      await sendTo(anna, channel.id, '', '@**topic**'),
    ]
    for (const params of [
      {},
      { apply_markdown: false },
      { client_gravatar: false, allow_empty_topic_name: true },
    ]) {
      for (const reader of [anna, ben]) {
        const page = await fetch(reader, { anchor: 'newest', num_before: 100, ...params })
        const byId = await reader.get('/messages', { message_ids: page.ids, ...params })
        expect(page.ids).toEqual(expect.arrayContaining([...ids, dm, ...others]))
        expect(page.messages).toEqual(byId.body.messages)
      }
    }
  })

  test('starts at the first unread message', async () => {
    const { ben, ids } = await conversation()
    await ben.post('/messages/flags', { messages: ids.slice(0, 3), op: 'add', flag: 'read' })
    const page = await fetch(ben, { anchor: 'first_unread', num_before: 1, num_after: 1 })
    expect(page).toMatchObject({ anchor: ids[3], ids: [ids[2], ids[3], ids[4]] })
    expect(page.messages.map((message: { flags: string[] }) => message.flags)).toEqual([['read'], [], []])
  })

  describe('skips unread messages that clients hide', () => {
    test('in a muted topic, unless the narrow names the topic', async () => {
      const { anna, ben, channel, ids, dm } = await conversation()
      await ben.post('/user_topics', { stream_id: channel.id, topic: 'EVEN', visibility_policy: 1 })
      expect(await firstUnread(ben)).toBe(ids[1])
      expect(await firstUnread(ben, ['is', 'unread'])).toBe(ids[1])
      expect(await firstUnread(ben, ['channel', channel.id])).toBe(ids[1])
      expect(await firstUnread(ben, ['sender', anna.id], ['topic', 'odd', 'not'])).toBe(dm)
      expect(await firstUnread(ben, ['channel', channel.id], ['topic', 'even'])).toBe(ids[0])
      expect(await firstUnread(ben, ['with', ids[2]])).toBe(ids[0])
    })

    test('in a muted channel, unless the narrow names it', async () => {
      const { org, ben, channel, ids, dm } = await conversation()
      await mute(ben, channel.id)
      await ben.post('/user_topics', { stream_id: channel.id, topic: 'odd', visibility_policy: 3 })
      const other = await org.channel({ subscribers: [ben] })
      expect(await firstUnread(ben)).toBe(dm)
      expect(await firstUnread(ben, ['channel', other.id, 'not'])).toBe(dm)
      expect(await firstUnread(ben, ['channel', channel.id])).toBe(ids[0])
      expect(await firstUnread(ben, ['topic', 'odd'])).toBe(ids[1])
    })

    test('in an archived channel, unless the narrow names it', async () => {
      const { org, ben, channel, ids, dm } = await conversation()
      await org.owner.delete(`/streams/${channel.id}`)
      expect(await firstUnread(ben)).toBe(dm)
      expect(await firstUnread(ben, ['channel', channel.id])).toBe(ids[0])
    })

    test('unless no other message is unread', async () => {
      const { ben, channel, ids, dm } = await conversation()
      await mute(ben, channel.id)
      await ben.post('/messages/flags', { messages: [dm], op: 'add', flag: 'read' })
      const page = await fetch(ben, { anchor: 'first_unread', num_before: 2, num_after: 2 })
      expect(page).toMatchObject({ anchor: 10_000_000_000_000_000, ids: [ids[5], dm], found_newest: true })
      const range = { anchor: 'first_unread', num_before: 0, num_after: 9, narrow: [['is', 'unread']] }
      const marked = await ben.post('/messages/flags/narrow', { ...range, op: 'add', flag: 'read' })
      expect(marked.body).toMatchObject({ processed_count: 0 })
    })
  })

  test('applies narrows', async () => {
    const { anna, ben, channel, ids, dm } = await conversation()
    const even = [ids[0], ids[2], ids[4]]
    for (const [narrow, expected] of [
      [[['stream', channel.name]], ids],
      [
        [
          { operator: 'channel', operand: channel.id },
          { operator: 'topic', operand: 'EVEN' },
        ],
        even,
      ],
      [
        [{ operator: 'topic', operand: 'even', negated: true }, ['stream', channel.name]],
        ids.filter((id) => !even.includes(id)),
      ],
      [[['sender', anna.email]], [...ids, dm]],
      [[['sender', ben.email]], []],
      [[{ operator: 'dm', operand: [anna.id] }], [dm]],
      [[['pm-with', anna.email]], [dm]],
      [[['is', 'private']], [dm]],
      [[['id', String(ids[1])]], [ids[1]]],
      [[['near', String(ids[1])]], [...ids, dm]],
    ] as const) {
      const page = await fetch(ben, { anchor: 'newest', num_before: 100, narrow: JSON.stringify(narrow) })
      expect(page.ids, JSON.stringify(narrow)).toEqual(expected)
    }
  })

  test('returns no messages that the user may not read', async () => {
    const { org, anna, ids, dm } = await conversation()
    const [eve, guest] = await Promise.all([org.person(), org.person({ role: 'guest' })])
    const closed = await org.channel({ subscribers: [anna], isPrivate: true })
    const secret = await sendTo(anna, closed.id, 'secret', 'hush')
    expect((await fetch(eve, { anchor: 'newest', num_before: 100 })).ids).toEqual([])
    expect((await fetch(eve, { message_ids: [...ids, dm, secret] })).ids).toEqual([])
    const narrow = JSON.stringify([['channel', closed.name]])
    const peek = await eve.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })
    expect(peek).toMatchObject({
      status: 200,
      body: { messages: [], found_oldest: true, found_newest: true },
    })
    for (const id of [dm, secret]) {
      expect((await eve.get(`/messages/${id}`)).body.msg).toBe('Invalid message(s)')
    }
    expect((await guest.get(`/messages/${ids[0]}`)).body.msg).toBe('Invalid message(s)')
  })

  test('returns no messages of a channel that the user has left, but accepts its name', async () => {
    const { org, anna, ben } = await conversation()
    const closed = await org.channel({ subscribers: [anna, ben], isPrivate: true })
    await sendTo(anna, closed.id, 'secret', 'hush')
    const narrow = JSON.stringify([['channel', closed.name]])
    const params = { anchor: 'newest', num_before: 1, narrow }
    expect((await fetch(ben, params)).ids).toHaveLength(1)
    await ben.delete('/users/me/subscriptions', { subscriptions: [closed.name] })
    expect((await fetch(ben, params)).ids).toEqual([])
  })

  test('returns the history of a public channel to later subscribers, as historical', async () => {
    const { org, channel, ids } = await conversation()
    const late = await org.person()
    const page = await fetch(late, {
      anchor: 'newest',
      num_before: 100,
      narrow: JSON.stringify([['channel', channel.name]]),
    })
    expect(page.ids).toEqual(ids)
    expect(page.messages[0].flags).toEqual(['read', 'historical'])
  })

  test.each([
    [{}, "Missing 'anchor' argument."],
    [{ anchor: 'x', num_before: 1, num_after: 1 }, 'Invalid anchor'],
    [{ anchor: 'newest', num_before: -1 }, 'num_before is too small'],
    [{ anchor: 'newest', num_before: 5001 }, 'Too many messages requested (maximum 5000).'],
    [
      { anchor: 1, num_before: 1, num_after: 1, include_anchor: false },
      'The anchor can only be excluded at an end of the range',
    ],
  ])('refuses %o', async (params, msg) => {
    const org = await organization()
    expect(await org.owner.get('/messages', params)).toMatchObject({ status: 400, body: { msg } })
  })
})

test('GET /messages/{message_id} returns one message, rendered or as Markdown source', async () => {
  const { ben, anna, channel } = await conversation()
  const id = await sendTo(anna, channel.id, '', '**bold**')
  const rendered = await ben.get(`/messages/${id}`)
  expect(rendered.body).toMatchObject({
    raw_content: '**bold**',
    message: { content: '<p><strong>bold</strong></p>', subject: 'general chat' },
  })
  const raw = await ben.get(`/messages/${id}`, { apply_markdown: false, allow_empty_topic_name: true })
  expect(raw.body.message).toMatchObject({
    content: '**bold**',
    content_type: 'text/x-markdown',
    subject: '',
  })
})

test('GET /users/me/{stream_id}/topics lists topics, the newest first', async () => {
  const { org, ben, anna, channel, ids } = await conversation()
  const last = await sendTo(anna, channel.id, 'EVEN', 'again')
  const { body } = await ben.get(`/users/me/${channel.id}/topics`)
  expect(body.topics).toEqual([
    { name: 'EVEN', max_id: last },
    { name: 'odd', max_id: ids[5] },
  ])
  const closed = await org.channel({ subscribers: [anna], isPrivate: true })
  expect((await ben.get(`/users/me/${closed.id}/topics`)).body.msg).toBe('Invalid channel ID')
})

test('the topic list of protected history has only received messages, with the spelling of their time', async () => {
  const { org, anna, ben } = await conversation()
  const closed = await org.channel({ subscribers: [anna], isPrivate: true })
  await sendTo(anna, closed.id, 'before', 'hush')
  await sendTo(anna, closed.id, 'plan', 'hush')
  const topics = async () => (await ben.get(`/users/me/${closed.id}/topics`)).body.topics
  const join = { subscriptions: [{ name: closed.name }], principals: [ben.id] }
  expect((await anna.post('/users/me/subscriptions', join)).status).toBe(200)
  expect(await topics()).toEqual([])
  const first = await sendTo(anna, closed.id, 'Plan', 'hello')
  const last = await sendTo(anna, closed.id, '', 'hello')
  expect(await topics()).toEqual([
    { name: 'general chat', max_id: last },
    { name: 'Plan', max_id: first },
  ])
})

test.each([{ anchor: 'newest' }, { num_before: 1 }, { num_after: 1 }, { use_first_unread_anchor: true }])(
  'message_ids does not go with %o',
  async (other) => {
    const { ben, ids } = await conversation()
    const answer = await ben.get('/messages', { message_ids: ids, ...other })
    const parameters = expect.stringContaining('message_ids')
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST', parameters } })
  },
)
