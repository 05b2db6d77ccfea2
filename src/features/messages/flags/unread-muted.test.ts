import { describe, expect, test } from 'vitest'
import { unreadOf } from '../../../../test/flags.ts'
import { sender } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

/** Sets up Ben, who receives messages from Anna in two channels. */
async function setting() {
  const org = await organization()
  const [anna, ben] = await Promise.all([org.person(), org.person({ name: 'Ben Bauer' })])
  const channel = await org.channel({ subscribers: [anna, ben] })
  const quiet = await org.channel({ subscribers: [anna, ben] })
  const mute = (value: boolean) =>
    ben.post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: quiet.id, property: 'is_muted', value }],
    })
  await mute(true)
  await ben.patch('/settings', { automatically_follow_topics_where_mentioned: false })
  const setPolicy = (stream_id: number, topic: string, visibility_policy: number) =>
    ben.post('/user_topics', { stream_id, topic, visibility_policy })
  const mark = (op: string, messages: number[]) => ben.post('/messages/flags', { messages, op, flag: 'read' })
  return {
    org,
    anna,
    ben,
    channel,
    quiet,
    mute,
    setPolicy,
    mark,
    say: sender(anna, channel),
    hush: sender(anna, quiet),
  }
}

test('muted messages are unread, but do not count', async () => {
  const { ben, anna, channel, quiet, setPolicy, say, hush } = await setting()
  await setPolicy(channel.id, 'Noise', 1)
  await setPolicy(quiet.id, 'followed', 3)
  await setPolicy(quiet.id, 'unmuted', 2)
  await say('noise', 'x')
  await hush('any', 'x')
  expect(await unreadOf(ben)).toMatchObject({ count: 0, streams: [{ topic: 'noise' }, { topic: 'any' }] })
  await say('lunch', 'x')
  await hush('Followed', 'x')
  await hush('unmuted', 'x')
  await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })
  expect((await unreadOf(ben)).count).toBe(4)
})

test('in muted channels and topics only personal mentions count', async () => {
  const { ben, channel, quiet, setPolicy, say, hush } = await setting()
  await setPolicy(channel.id, 'noise', 1)
  await setPolicy(quiet.id, 'followed', 3)
  const first = await hush('any', '@**all** x')
  await ben.post(`/messages/${first}/reactions`, { emoji_name: 'tada' })
  await hush('any', '@**topic** x')
  await say('noise', '@**all** x')
  const named = [await hush('any', '@**Ben Bauer**'), await say('noise', '@**all** @**Ben Bauer**')]
  const called = [await hush('followed', '@**all** x'), await say('lunch', '@**all** x')]
  expect((await unreadOf(ben)).mentions).toEqual([...named, ...called])
})

test('a message that becomes unread again is reported with its mute state', async () => {
  const { ben, channel, quiet, setPolicy, mark, say, hush } = await setting()
  await setPolicy(channel.id, 'Noise', 1)
  await setPolicy(quiet.id, 'followed', 3)
  const ids = [
    await say('lunch', '@**all** x'),
    await say('noise', '@**all** x'),
    await say('noise', '@**Ben Bauer**'),
    await hush('any', '@**all** x'),
    await hush('Followed', '@**all** x'),
  ]
  await mark('add', ids)
  const client = await ben.register()
  await mark('remove', ids)
  const [event] = await client.events()
  expect(ids.map((id) => event!.message_details[id])).toEqual([
    { type: 'stream', stream_id: channel.id, topic: 'lunch', unmuted_stream_msg: true, mentioned: true },
    { type: 'stream', stream_id: channel.id, topic: 'noise', unmuted_stream_msg: false },
    { type: 'stream', stream_id: channel.id, topic: 'noise', unmuted_stream_msg: false, mentioned: true },
    { type: 'stream', stream_id: quiet.id, topic: 'any', unmuted_stream_msg: false },
    { type: 'stream', stream_id: quiet.id, topic: 'Followed', unmuted_stream_msg: true, mentioned: true },
  ])
  await client.expectStateToMatch()
})

describe('a client keeps the count', () => {
  test('of messages that arrive, are read, edited and deleted', async () => {
    const { org, anna, ben, channel, setPolicy, mark, say, hush } = await setting()
    await setPolicy(channel.id, 'noise', 1)
    await say('noise', 'before')
    await hush('any', 'before')
    const client = await ben.register()
    const ids = [
      await say('noise', '@**all** x'),
      await hush('any', '@**Ben Bauer**'),
      await say('lunch', '@**all**'),
    ]
    await client.expectStateToMatch()
    await anna.patch(`/messages/${ids[0]}`, { content: '@**Ben Bauer** x' })
    await anna.patch(`/messages/${ids[1]}`, { content: '@**all** x' })
    await client.expectStateToMatch()
    await mark('add', [ids[2]!])
    await client.expectStateToMatch()
    await mark('remove', [ids[2]!])
    await org.owner.delete(`/messages/${ids[0]}`)
    await client.expectStateToMatch()
    expect(await unreadOf(ben)).toMatchObject({ count: 1, mentions: [ids[2]] })
  })

  test('when the user mutes and unmutes topics and channels', async () => {
    const { ben, channel, quiet, mute, setPolicy, say, hush } = await setting()
    const all = await say('noise', '@**all** x')
    const named = await hush('any', '@**Ben Bauer** x')
    const client = await ben.register()
    const has = async (count: number, mentions: number[]) => {
      await client.expectStateToMatch()
      expect(await unreadOf(ben)).toMatchObject({ count, mentions })
    }
    await has(1, [all, named])
    await setPolicy(channel.id, 'noise', 1)
    await has(0, [named])
    await mute(false)
    await has(1, [named])
    await mute(true)
    await setPolicy(quiet.id, 'any', 2)
    await has(1, [named])
    await setPolicy(channel.id, 'noise', 0)
    await has(2, [all, named])
  })

  test('when messages move between muted and unmuted topics', async () => {
    const { org, ben, channel, quiet, setPolicy, say, hush } = await setting()
    await setPolicy(channel.id, 'noise', 1)
    const ids = [await say('noise', '@**all** x'), await say('noise', 'x'), await hush('any', '@**all** x')]
    const client = await ben.register()
    const silently = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }
    await org.owner.patch(`/messages/${ids[0]}`, {
      topic: 'lunch',
      propagate_mode: 'change_one',
      ...silently,
    })
    await client.expectStateToMatch()
    await org.owner.patch(`/messages/${ids[2]}`, { stream_id: channel.id, ...silently })
    await client.expectStateToMatch()
    expect(await unreadOf(ben)).toMatchObject({ count: 2, mentions: [ids[0], ids[2]] })
    await org.owner.patch(`/messages/${ids[0]}`, { stream_id: quiet.id, ...silently })
    await client.expectStateToMatch()
    expect(await unreadOf(ben)).toMatchObject({ count: 1, mentions: [ids[2]] })
  })
})
