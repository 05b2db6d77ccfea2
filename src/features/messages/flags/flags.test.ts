import { expect, test } from 'vitest'
import { changeFlag, unreadOf } from '../../../../test/flags.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function setting() {
  const { org, anna, ben, channel } = await annaAndBen(await organization())
  const send = async (topic: string): Promise<number> =>
    (await anna.post('/messages', { type: 'channel', to: channel.id, topic, content: 'x' })).body.id
  const ids = [await send('a'), await send('b'), await send('a')]
  return { org, anna, ben, channel, ids }
}

test('unread messages are grouped by conversation, ordered by their oldest message, and include mentions', async () => {
  const { anna, ben, channel, ids } = await setting()
  const to = { type: 'channel', to: channel.id, content: '@**all** "x"' }
  const first = (await anna.post('/messages', { ...to, topic: 'b' })).body.id
  const second = (await anna.post('/messages', { ...to, topic: 'c, "d"' })).body.id
  const direct = (await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })).body.id
  expect(await unreadOf(ben)).toMatchObject({
    count: 6,
    mentions: [first, second],
    old_unreads_missing: false,
    streams: [
      { stream_id: channel.id, topic: 'a', unread_message_ids: [ids[0], ids[2]] },
      { stream_id: channel.id, topic: 'b', unread_message_ids: [ids[1], first] },
      { stream_id: channel.id, topic: 'c, "d"', unread_message_ids: [second] },
    ],
    pms: [{ other_user_id: anna.id, unread_message_ids: [direct] }],
  })
})

test('messages are unread until they are marked as read, and again after that is undone', async () => {
  const { ben, channel, ids } = await setting()
  const client = await ben.register()
  expect(client.state.unread_msgs).toMatchObject({
    count: 3,
    streams: [
      { stream_id: channel.id, topic: 'a', unread_message_ids: [ids[0], ids[2]] },
      { stream_id: channel.id, topic: 'b', unread_message_ids: [ids[1]] },
    ],
  })
  await changeFlag(ben, 'add', 'read', [ids[0]!, ids[1]!])
  expect(await client.events()).toMatchObject([
    { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: [ids[0], ids[1]] },
  ])
  await client.expectStateToMatch()
  await changeFlag(ben, 'remove', 'read', [ids[0]!])
  const [event] = await client.events()
  expect(event?.message_details).toMatchObject({
    [ids[0]!]: { type: 'stream', stream_id: channel.id, topic: 'a' },
  })
  await client.expectStateToMatch()
  expect(await unreadOf(ben)).toMatchObject({ count: 2, streams: [{ unread_message_ids: [ids[0], ids[2]] }] })
})

test('reading messages notifies no other user', async () => {
  const { anna, ben, ids } = await setting()
  const hers = await anna.register()
  await changeFlag(ben, 'add', 'read', ids)
  expect(await hers.events()).toEqual([])
  expect((await unreadOf(anna)).count).toBe(3)
})

test('direct messages are counted by conversation', async () => {
  const { org, anna, ben } = await setting()
  const eve = await org.person()
  const one = (await anna.post('/messages', { type: 'direct', to: [eve.id], content: 'x' })).body.id
  const group = (await anna.post('/messages', { type: 'direct', to: [eve.id, ben.id], content: 'x' })).body.id
  const client = await eve.register()
  expect(client.state.unread_msgs).toMatchObject({
    count: 2,
    pms: [{ other_user_id: anna.id, sender_id: anna.id, unread_message_ids: [one] }],
    huddles: [
      {
        user_ids_string: [anna.id, ben.id, eve.id].sort((a, b) => a - b).join(),
        unread_message_ids: [group],
      },
    ],
  })
  await changeFlag(eve, 'add', 'read', [one, group])
  await changeFlag(eve, 'remove', 'read', [one, group])
  await client.expectStateToMatch()
})

test('a mention that becomes unread again is listed under mentions again', async () => {
  const { anna, ben, channel } = await setting()
  const client = await ben.register()
  for (const content of ['@**all** x', `@**${ben.name}** x`]) {
    const message = { type: 'channel', to: channel.id, topic: 'a', content }
    const { id } = (await anna.post('/messages', message)).body
    await changeFlag(ben, 'add', 'read', [id])
    await client.expectStateToMatch()
    await changeFlag(ben, 'remove', 'read', [id])
    await client.expectStateToMatch()
    expect((await unreadOf(ben)).mentions).toContain(id)
  }
})

test('a message may be named twice', async () => {
  const { ben, ids } = await setting()
  const client = await ben.register()
  const twice = [ids[1]!, ids[0]!, ids[1]!]
  for (const name of ['read', 'starred']) {
    expect((await changeFlag(ben, 'add', name, twice)).body).toMatchObject({
      result: 'success',
      messages: twice,
    })
    expect(await client.events()).toMatchObject([{ messages: twice }])
  }
  expect((await unreadOf(ben)).count).toBe(1)
})

test('two clients may star the same messages concurrently', async () => {
  const { ben, ids } = await setting()
  const answers = await Promise.all([1, 2, 3, 4].map(() => changeFlag(ben, 'add', 'starred', ids)))
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
  expect((await ben.register()).state.starred_messages).toEqual(ids)
})

test('starred and collapsed messages are stored and announced', async () => {
  const { ben, ids } = await setting()
  const client = await ben.register()
  await changeFlag(ben, 'add', 'starred', [ids[2]!, ids[0]!])
  await changeFlag(ben, 'add', 'collapsed', [ids[0]!])
  await changeFlag(ben, 'remove', 'starred', [ids[2]!])
  await client.expectStateToMatch()
  const { body } = await ben.get('/messages', { message_ids: ids })
  expect(body.messages.map((message: { flags: string[] }) => message.flags)).toEqual([
    ['collapsed', 'starred'],
    [],
    [],
  ])
})

test('a user can neither star nor mark messages that they may not read', async () => {
  const { org, anna } = await setting()
  const eve = await org.person()
  const closed = await org.channel({ subscribers: [anna], isPrivate: true })
  const id = (await anna.post('/messages', { type: 'channel', to: closed.id, topic: 't', content: 'x' })).body
    .id
  expect((await changeFlag(eve, 'add', 'starred', [id])).body.msg).toBe('Invalid message(s)')
  expect((await changeFlag(eve, 'add', 'read', [id])).body).toMatchObject({
    result: 'success',
    messages: [id],
  })
})

test.each([
  ['add', 'bogus', "Invalid flag: 'bogus'"],
  ['add', 'mentioned', "Flag not editable: 'mentioned'"],
  ['zap', 'read', "Invalid message flag operation: 'zap'"],
])('rejects %s %s', async (op, name, msg) => {
  const { ben, ids } = await setting()
  expect(await changeFlag(ben, op, name, ids)).toMatchObject({ status: 400, body: { msg } })
})
