import { describe, expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

describe('POST /messages to a channel', () => {
  test('reaches the subscribers with their flags, and no other user', async () => {
    const org = await organization()
    const [anna, ben, eve] = await Promise.all([
      org.person(),
      org.person({ name: 'Ben Bauer' }),
      org.person(),
    ])
    const channel = await org.channel({ subscribers: [anna, ben] })
    const [hers, his, theirs] = await Promise.all([anna.register(), ben.register(), eve.register()])

    const sent = await anna.post('/messages', {
      type: 'channel',
      to: channel.name,
      topic: 'lunch',
      content: 'Soup, @**Ben Bauer**?',
      read_by_sender: true,
    })

    expect(sent.body).toMatchObject({ result: 'success', id: expect.any(Number) })
    expect(await his.events()).toMatchObject([
      { type: 'muted_topics' },
      { type: 'user_topic', topic_name: 'lunch', visibility_policy: 3 },
      {
        type: 'message',
        flags: ['mentioned'],
        message: {
          id: sent.body.id,
          type: 'stream',
          stream_id: channel.id,
          display_recipient: channel.name,
          subject: 'lunch',
          sender_id: anna.id,
          content: expect.stringContaining(`data-user-id="${ben.id}"`),
          content_type: 'text/html',
        },
      },
    ])
    expect((await hers.events()).at(-1)).toMatchObject({ type: 'message', flags: ['read'] })
    expect(await theirs.events()).toEqual([])
    for (const client of [hers, his, theirs]) await client.expectStateToMatch()
  })

  test('reaches clients with all_public_streams, unless the channel is private', async () => {
    const org = await organization()
    const [anna, bot] = await Promise.all([org.person(), org.person()])
    const open = await org.channel({ subscribers: [anna] })
    const closed = await org.channel({ subscribers: [anna], isPrivate: true })
    const listener = await bot.register({ all_public_streams: true, event_types: ['message'] })

    for (const { name } of [closed, open]) {
      await anna.post('/messages', { type: 'stream', to: name, subject: 'x', content: `in ${name}` })
    }

    expect(await listener.events()).toMatchObject([{ message: { stream_id: open.id } }])
  })

  test.each([
    ['a name', (channel: { name: string }) => channel.name],
    ['a name in other case', (channel: { name: string }) => channel.name.toUpperCase()],
    ['a JSON text', (channel: { name: string }) => JSON.stringify(channel.name)],
    ['a list of one name', (channel: { name: string }) => JSON.stringify([channel.name])],
    ['an id', (channel: { id: number }) => String(channel.id)],
    ['a list of one id', (channel: { id: number }) => JSON.stringify([channel.id])],
  ])('finds the channel by %s', async (_, to) => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const { body } = await org.owner.post('/messages', {
      type: 'channel',
      to: to(channel),
      topic: 't',
      content: 'c',
    })
    expect(body).toMatchObject({ result: 'success' })
  })

  test.each([
    [{ type: 'letter' }, 'Invalid type'],
    [{ to: 'nowhere' }, "Channel 'nowhere' does not exist"],
    [{ to: '99999' }, "Channel with ID '99999' does not exist"],
    [{ to: 'no\0where' }, 'Invalid character in channel name, at position 3.'],
    [{ to: '[1,2]' }, 'Expected exactly one channel'],
    [{ to: '{}' }, 'Invalid data type for channel'],
    [{ content: '  \n ' }, 'Message must not be empty'],
    [{ content: 'x\0y' }, 'Message must not contain null bytes'],
    [{ topic: 'a\u0007' }, 'Invalid character in topic, at position 2!'],
    [{ forged: 'yes' }, 'User not authorized for this query'],
    [{ topic: 'a', subject: 'b' }, "Can't decide between 'topic' and 'subject' arguments"],
  ])('refuses %o', async (wrong, msg) => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const right = { type: 'channel', to: channel.name, topic: 't', content: 'c' }
    const answer = await org.owner.post('/messages', { ...right, ...wrong })
    expect(answer).toMatchObject({ status: 400, body: { result: 'error', msg } })
  })

  test('is refused in a private channel without a subscription, and to guests outside their channels', async () => {
    const org = await organization()
    const [anna, guest] = await Promise.all([org.person(), org.person({ role: 'guest' })])
    const closed = await org.channel({ subscribers: [org.owner], isPrivate: true })
    const open = await org.channel({ subscribers: [org.owner] })
    for (const [who, channel] of [
      [anna, closed],
      [guest, open],
    ] as const) {
      const { body } = await who.post('/messages', {
        type: 'channel',
        to: channel.name,
        topic: 't',
        content: 'c',
      })
      expect(body.msg).toBe(`Not authorized to send to channel '${channel.name}'`)
    }
  })
})

describe('POST /messages to users', () => {
  test('reaches only the participants, and all of them see the same conversation', async () => {
    const org = await organization()
    const [anna, ben, eve] = await Promise.all([org.person(), org.person(), org.person()])
    const [hers, his, theirs] = await Promise.all([anna.register(), ben.register(), eve.register()])
    await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'psst' })
    const [event] = await his.events()
    expect(event).toMatchObject({ flags: [], message: { type: 'private', subject: '', sender_id: anna.id } })
    expect(event?.message.display_recipient.map((person: { id: number }) => person.id).sort()).toEqual(
      [anna.id, ben.id].sort(),
    )
    expect(await hers.events()).toHaveLength(1)
    expect(await theirs.events()).toEqual([])
    for (const client of [hers, his, theirs]) await client.expectStateToMatch()
  })

  test('finds users by ids, email addresses and comma-separated lists', async () => {
    const org = await organization()
    const [ben, eve] = await Promise.all([org.person(), org.person()])
    const ids: number[] = []
    for (const to of [
      [ben.id, eve.id],
      [eve.email, ben.email],
      `${ben.email}, ${eve.email}`,
      [ben.id, eve.id, ben.id],
    ]) {
      const { body } = await org.owner.post('/messages', { type: 'private', to, content: 'hi' })
      ids.push(body.id)
    }
    const { body } = await ben.get('/messages', { anchor: 'newest', num_before: 10, narrow: [] })
    const messages: { id: number; recipient_id: number }[] = body.messages
    expect(messages.map((message) => message.id)).toEqual(ids)
    expect(new Set(messages.map((message) => message.recipient_id)).size).toBe(1)
  })

  test.each([
    [[], 'Message must have recipients'],
    [[99_999], 'Invalid user ID 99999'],
    [['nobody@example.net'], "Invalid email 'nobody@example.net'"],
    [[1, 'x@y.example'], 'Recipient lists may contain emails or user IDs, but not both.'],
    [{}, 'Invalid data type for recipients'],
  ])('refuses to %o', async (to, msg) => {
    const org = await organization()
    const answer = await org.owner.post('/messages', { type: 'direct', to, content: 'x' })
    expect(answer).toMatchObject({ status: 400, body: { msg } })
  })
})

test('marks the message as read for a human sender, unless the request says otherwise', async () => {
  const { owner } = await organization()
  const flags = async (client: string, params = {}) => {
    const message = { type: 'direct', to: [owner.id], content: 'x', ...params }
    const { body } = await owner.post('/messages', message, { headers: { 'user-agent': client } })
    return (await owner.get(`/messages/${body.id}`)).body.message.flags
  }
  for (const client of ['ZulipTerminal/0.7.0', 'ZulipMobile/1', 'ZulipFlutter/30', 'ZulipElectron/5']) {
    expect(await flags(client), client).toEqual(['read'])
    expect(await flags(client, { read_by_sender: false }), client).toEqual([])
  }
  for (const client of ['ZulipPython/0.9', 'curl/8', 'terminal']) {
    expect(await flags(client), client).toEqual([])
    expect(await flags(client, { read_by_sender: true }), client).toEqual(['read'])
  }
})

test('returns local_id only to the sending queue', async () => {
  const org = await organization()
  const [one, other] = [await org.owner.register(), await org.owner.register()]
  const message = { type: 'direct', to: [org.owner.id], content: 'x', queue_id: one.queueId, local_id: '5' }
  await org.owner.post('/messages', message)
  expect((await one.events())[0]?.local_message_id).toBe('5')
  expect((await other.events())[0]).not.toHaveProperty('local_message_id')
})
