import { expect, test } from 'vitest'
import { unreadOf } from '../../../../test/flags.ts'
import { annaAndBen } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function setting() {
  const { org, anna, ben, channel } = await annaAndBen(await organization())
  const send = async (topic: string): Promise<number> =>
    (await anna.post('/messages', { type: 'channel', to: channel.id, topic, content: 'x' })).body.id
  const ids: number[] = []
  for (const topic of ['a', 'b', 'a', 'a']) ids.push(await send(topic))
  const direct = (await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })).body.id
  return { org, anna, ben, channel, ids, direct: direct as number, send }
}

const page = { anchor: 'newest', num_before: 10, num_after: 0, op: 'add', flag: 'read' }

test('changes a flag on the messages of a narrow around an anchor', async () => {
  const { anna, ben, channel, ids } = await setting()
  const [his, hers] = [await ben.register(), await anna.register()]
  const narrow = [
    ['channel', channel.name],
    ['topic', 'a'],
  ]
  const all = await ben.post('/messages/flags/narrow', { ...page, narrow })
  expect(all.body).toEqual({
    result: 'success',
    msg: '',
    processed_count: 3,
    updated_count: 3,
    first_processed_id: ids[0],
    last_processed_id: ids[3],
    found_oldest: true,
    found_newest: true,
    ignored_because_not_subscribed_channels: [],
  })
  expect(await his.events()).toMatchObject([
    { type: 'update_message_flags', op: 'add', flag: 'read', messages: [ids[0], ids[2], ids[3]], all: false },
  ])
  await his.expectStateToMatch()
  const first = { ...page, anchor: 'oldest', num_before: 0, num_after: 2, op: 'remove', narrow }
  expect((await ben.post('/messages/flags/narrow', first)).body).toMatchObject({
    processed_count: 2,
    updated_count: 2,
    last_processed_id: ids[2],
    found_newest: false,
  })
  await his.expectStateToMatch()
  const behind = { ...page, anchor: ids[0], include_anchor: false, num_before: 0, num_after: 1 }
  const starred = await ben.post('/messages/flags/narrow', { ...behind, flag: 'starred', narrow })
  expect(starred.body).toMatchObject({ first_processed_id: ids[2], last_processed_id: ids[2] })
  await his.expectStateToMatch()
  expect(his.state.user_id).toBe(ben.id)
  expect(await hers.events()).toEqual([])
})

test('a narrow contains no messages that the user may not read', async () => {
  const { org, anna } = await setting()
  const eve = await org.person()
  const closed = await org.channel({ subscribers: [anna], isPrivate: true })
  await anna.post('/messages', { type: 'channel', to: closed.id, topic: 't', content: 'x' })
  for (const narrow of [[], [{ operator: 'channel', operand: closed.id }]]) {
    const answer = await eve.post('/messages/flags/narrow', { ...page, flag: 'starred', narrow })
    if (answer.status === 200) expect(answer.body.processed_count).toBe(0)
    else expect(answer.body.code).toBe('BAD_NARROW')
  }
})

test('messages of channels without a subscription never become unread', async () => {
  const { org, channel } = await setting()
  const eve = await org.person()
  const params = { ...page, op: 'remove', narrow: [{ operator: 'channel', operand: channel.id }] }
  expect((await eve.post('/messages/flags/narrow', params)).body).toMatchObject({
    processed_count: 4,
    updated_count: 0,
    ignored_because_not_subscribed_channels: [channel.id],
  })
})

test.each([
  [{ anchor: undefined }, "Missing 'anchor' argument"],
  [{ anchor: 'zzz' }, 'Invalid anchor'],
  [{ narrow: undefined }, "Missing 'narrow' argument"],
  [{ narrow: 5 }, 'narrow is not a list'],
  [{ narrow: [['bogus', 'x']] }, 'Invalid narrow operator: unknown operator bogus'],
  [{ num_before: undefined }, "Missing 'num_before' argument"],
  [{ op: 'zap' }, "Invalid message flag operation: 'zap'"],
  [{ flag: 'mentioned' }, "Flag not editable: 'mentioned'"],
  [{ num_after: 1, include_anchor: false }, 'The anchor can only be excluded at an end of the range'],
])('rejects %j', async (wrong, msg) => {
  const { ben } = await setting()
  const answer = await ben.post('/messages/flags/narrow', { ...page, narrow: [], ...wrong })
  expect(answer).toMatchObject({ status: 400, body: { msg } })
})

test('marks a topic as read', async () => {
  const { anna, ben, channel, ids } = await setting()
  const [his, hers] = [await ben.register(), await anna.register()]
  const mark = (topic_name: string) => ben.post('/mark_topic_as_read', { stream_id: channel.id, topic_name })
  expect((await mark('A')).body).toEqual({ result: 'success', msg: '' })
  expect(await his.events()).toMatchObject([{ messages: [ids[0], ids[2], ids[3]], all: false }])
  await his.expectStateToMatch()
  expect((await mark('a')).status).toBe(200)
  expect(await his.events()).toEqual([])
  expect((await mark('nope')).body.msg).toBe("No such topic 'nope'")
  expect(await hers.events()).toEqual([])
})

test('marks a channel as read', async () => {
  const { ben, channel, ids, direct } = await setting()
  const his = await ben.register()
  const mark = async (stream_id: number) => (await ben.post('/mark_stream_as_read', { stream_id })).body
  expect(await mark(channel.id)).toEqual({ result: 'success', msg: '' })
  expect(await his.events()).toMatchObject([{ messages: ids, all: false }])
  await his.expectStateToMatch()
  expect(await unreadOf(ben)).toMatchObject({ count: 1, pms: [{ unread_message_ids: [direct] }] })
  expect(await mark(99_999_999)).toMatchObject({ msg: 'Invalid channel ID' })
})

test('does not mark messages that the user may not see', async () => {
  const { org, anna, ben } = await setting()
  const closed = await org.channel({ subscribers: [anna], isPrivate: true })
  await anna.post('/messages', { type: 'channel', to: closed.id, topic: 't', content: 'x' })
  const params = { stream_id: closed.id, topic_name: 't' }
  expect((await ben.post('/mark_topic_as_read', params)).body.msg).toBe('Invalid channel ID')
  expect((await ben.post('/mark_stream_as_read', params)).body.msg).toBe('Invalid channel ID')
})

test('marks everything as read, and later messages are unread', async () => {
  const { anna, ben, ids, send } = await setting()
  const [his, hers] = [await ben.register(), await anna.register()]
  expect((await ben.post('/mark_all_as_read')).body).toEqual({ result: 'success', msg: '', complete: true })
  expect(await his.events()).toMatchObject([
    { type: 'update_message_flags', op: 'add', flag: 'read', all: true, messages: [] },
  ])
  await his.expectStateToMatch()
  expect((await unreadOf(ben)).count).toBe(0)
  expect(await hers.events()).toEqual([])
  const later = await send('a')
  await his.expectStateToMatch()
  expect((await unreadOf(ben)).count).toBe(1)
  await ben.post('/messages/flags', { messages: [ids[1]], op: 'remove', flag: 'read' })
  await his.expectStateToMatch()
  expect(
    (await unreadOf(ben)).streams.map((one: { unread_message_ids: number[] }) => one.unread_message_ids),
  ).toEqual([[ids[1]], [later]])
})
