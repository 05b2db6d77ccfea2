import { describe, expect, test } from 'vitest'
import { annaAndBen } from '../../../../../test/organization.ts'
import type { Person } from '../../../../../test/person.ts'
import { sharedServer } from '../../../../../test/test-server.ts'
import { scheduledLimits } from '../../scheduled/limits.ts'

const { organization } = sharedServer()

const tomorrow = Math.floor(Date.now() / 1000) + 86_400

async function setting() {
  const { org, anna, ben, channel } = await annaAndBen(await organization())
  const message = {
    type: 'channel',
    to: channel.id,
    topic: 't',
    content: 'later',
    scheduled_delivery_timestamp: tomorrow,
  }
  return { org, anna, ben, channel, message }
}

async function schedule(who: Person, message: object): Promise<number> {
  return (await who.post('/scheduled_messages', { ...message })).body.scheduled_message_id
}

test('schedules, edits and cancels messages and updates the user’s other clients', async () => {
  const { anna, ben, channel, message } = await setting()
  const [mine, his] = [await anna.register(), await ben.register()]
  const id = await schedule(anna, { ...message, content: '*later*' })
  const view = {
    scheduled_message_id: id,
    to: channel.id,
    type: 'stream',
    content: '*later*',
    rendered_content: '<p><em>later</em></p>',
    topic: 't',
    scheduled_delivery_timestamp: tomorrow,
    failed: false,
  }
  expect(await mine.events()).toMatchObject([
    { type: 'scheduled_messages', op: 'add', scheduled_messages: [view] },
  ])
  await mine.expectStateToMatch()
  const direct = await schedule(anna, { ...message, type: 'direct', to: [ben.id, anna.id] })
  const change = { content: 'x', topic: 't2', scheduled_delivery_timestamp: tomorrow + 5 }
  expect((await anna.patch(`/scheduled_messages/${id}`, change)).body).toEqual({ result: 'success', msg: '' })
  const changed = { ...view, content: 'x', rendered_content: '<p>x</p>', topic: 't2' }
  expect((await mine.events()).at(-1)).toMatchObject({
    op: 'update',
    scheduled_message: { ...changed, scheduled_delivery_timestamp: tomorrow + 5 },
  })
  await mine.expectStateToMatch()
  const { scheduled_messages } = (await anna.get('/scheduled_messages')).body
  expect(scheduled_messages).toMatchObject([
    { scheduled_message_id: direct, type: 'private', to: [ben.id] },
    { scheduled_message_id: id },
  ])
  expect(scheduled_messages[0]).not.toHaveProperty('topic')
  await anna.patch(`/scheduled_messages/${id}`, { type: 'direct', to: [ben.id] })
  expect((await mine.events()).at(-1)!.scheduled_message).toMatchObject({ type: 'private', to: [ben.id] })
  await anna.delete(`/scheduled_messages/${id}`)
  expect(await mine.events()).toMatchObject([{ op: 'remove', scheduled_message_id: id }])
  await mine.expectStateToMatch()
  expect(await his.events()).toEqual([])
  expect((await ben.get('/scheduled_messages')).body.scheduled_messages).toEqual([])
})

test.each([
  [{ scheduled_delivery_timestamp: 1 }, 'Scheduled delivery time must be in the future.'],
  [{ content: ' ' }, 'Message must not be empty'],
  [{ to: 99_999_999 }, "Channel with ID '99999999' does not exist"],
  [{ to: 'Denmark' }, 'to is not valid JSON'],
  [{ to: [1, 2] }, 'Expected exactly one channel'],
  [{ topic: undefined }, 'Missing topic'],
  [{ type: 'zz' }, 'Invalid type'],
  [{ type: 'direct', to: [99_999_999] }, 'Invalid user ID 99999999'],
  [{ type: 'direct', to: [] }, 'Message must have recipients'],
  [{ type: undefined }, "Missing 'type' argument"],
  [{ to: undefined }, "Missing 'to' argument"],
  [{ content: undefined }, "Missing 'content' argument"],
])('rejects %j', async (wrong, msg) => {
  const { anna, message } = await setting()
  const answer = await anna.post('/scheduled_messages', { ...message, ...wrong })
  expect(answer).toMatchObject({ status: 400, body: { msg } })
})

test.each([
  [{}, 'Nothing to change'],
  [{ type: 'channel' }, 'Recipient required when updating type of scheduled message.'],
  [{ type: 'channel', to: 1 }, 'Topic required when updating scheduled message type to channel.'],
  [{ scheduled_delivery_timestamp: 5 }, 'Scheduled delivery time must be in the future.'],
  [{ to: [99_999_999] }, 'Invalid user ID 99999999'],
])('rejects %j on a scheduled message', async (change, msg) => {
  const { anna, ben, message } = await setting()
  const id = await schedule(anna, { ...message, type: 'direct', to: [ben.id] })
  const answer = await anna.patch(`/scheduled_messages/${id}`, { ...change })
  expect(answer).toMatchObject({ status: 400, body: { msg } })
})

test('users cannot schedule messages that they may not send, or access scheduled messages of other users', async () => {
  const { org, anna, ben, message } = await setting()
  const closed = await org.channel({ subscribers: [ben], isPrivate: true })
  const answer = await anna.post('/scheduled_messages', { ...message, to: closed.id })
  expect(answer.body.msg).toBe(`Not authorized to send to channel with ID '${closed.id}'`)
  const id = await schedule(anna, message)
  const missing = { status: 404, body: { code: 'BAD_REQUEST', msg: 'Scheduled message does not exist' } }
  expect(await ben.patch(`/scheduled_messages/${id}`, { content: 'x' })).toMatchObject(missing)
  expect(await ben.delete(`/scheduled_messages/${id}`)).toMatchObject(missing)
  expect((await anna.get('/scheduled_messages')).body.scheduled_messages).toHaveLength(1)
})

describe('a scheduled message that its author may not send', () => {
  test('is refused if it mentions a group that the author may not mention', async () => {
    const { org, anna, ben, message } = await setting()
    const name = 'board'
    await org.owner.post('/user_groups/create', {
      name,
      description: '',
      members: [ben.id],
      can_mention_group: { direct_members: [ben.id], direct_subgroups: [] },
    })
    const content = `@*${name}* come`
    const refused = { status: 400, body: { msg: "You are not allowed to mention user group 'board'." } }
    const client = await anna.register()
    expect(await anna.post('/scheduled_messages', { ...message, content })).toMatchObject(refused)
    const direct = { ...message, type: 'direct', to: [ben.id], content }
    expect(await anna.post('/scheduled_messages', direct)).toMatchObject(refused)
    const id = await schedule(anna, message)
    expect(await anna.patch(`/scheduled_messages/${id}`, { content })).toMatchObject(refused)
    expect((await anna.get('/scheduled_messages')).body.scheduled_messages).toMatchObject([
      { content: 'later' },
    ])
    expect(await client.events()).toMatchObject([{ op: 'add' }])
    expect(await schedule(anna, { ...message, content: `@_*${name}* come` })).toEqual(expect.any(Number))
    expect(await schedule(ben, { ...message, content })).toEqual(expect.any(Number))
  })

  test('is refused if it mentions all of a large channel or topic, also when it moves there', async () => {
    const { org, anna, channel, message } = await setting()
    const many = await Promise.all(Array.from({ length: 14 }, () => org.person()))
    const large = await org.channel({ subscribers: [anna, ...many] })
    for (const one of [...many, org.owner]) {
      await one.post('/messages', { type: 'channel', to: large.id, topic: 't', content: 'x' })
    }
    await org.owner.post('/users/me/subscriptions', { subscriptions: [{ name: large.name }] })
    const wildcards = [
      ['@**all**', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
      ['@**topic**', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
    ] as const
    for (const [content, code] of wildcards) {
      const refused = { status: 400, body: { code } }
      const there = { ...message, to: large.id, content }
      expect(await anna.post('/scheduled_messages', there)).toMatchObject(refused)
      const id = await schedule(anna, { ...message, content })
      const moved = { type: 'channel', to: large.id, topic: 't' }
      expect(await anna.patch(`/scheduled_messages/${id}`, moved)).toMatchObject(refused)
      expect((await anna.patch(`/scheduled_messages/${id}`, { topic: 'u' })).status).toBe(200)
      expect(await schedule(org.owner, there)).toEqual(expect.any(Number))
    }
    const { scheduled_messages } = (await anna.get('/scheduled_messages')).body
    expect(scheduled_messages).toMatchObject([{ to: channel.id }, { to: channel.id }])
  })

  test('gets no new text once the author may not send to its destination any more', async () => {
    const { org, anna, ben, message } = await setting()
    const closed = await org.channel({ subscribers: [anna, ben], isPrivate: true })
    const id = await schedule(anna, { ...message, to: closed.id })
    await anna.delete('/users/me/subscriptions', { subscriptions: [closed.name] })
    const refused = { status: 400, body: { msg: `Not authorized to send to channel with ID '${closed.id}'` } }
    expect(await anna.patch(`/scheduled_messages/${id}`, { content: 'new' })).toMatchObject(refused)
    const later = { scheduled_delivery_timestamp: tomorrow + 5 }
    expect((await anna.patch(`/scheduled_messages/${id}`, later)).status).toBe(200)
  })
})

test('limits the number of scheduled messages', async () => {
  const { org, anna, channel, message } = await setting()
  const row = {
    sender_id: anna.id,
    channel_id: channel.id,
    topic: 't',
    content: 'x',
    rendered_content: 'x',
    client: 'test',
    read_by_sender: true,
    deliver_at: tomorrow,
  }
  await org.log.commit((change) =>
    change.insertAll('scheduled_message', Array(scheduledLimits.scheduledMessagesPerUser).fill(row)),
  )
  const answer = await anna.post('/scheduled_messages', message)
  expect(answer.body.msg).toBe('Too many scheduled messages.')
})
