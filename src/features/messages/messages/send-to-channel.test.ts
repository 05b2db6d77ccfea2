import { expect, test } from 'vitest'
import { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('an error does not reveal the name of a channel that the user may not know of', async () => {
  const org = await organization()
  const [anna, guest] = await Promise.all([org.person(), org.person({ role: 'guest' })])
  const closed = await org.channel({ name: 'Zanzibar', subscribers: [org.owner], isPrivate: true })
  const open = await org.channel({ name: 'Plain' })
  const { body: bot } = await anna.post('/bots', { full_name: 'Bot', short_name: 'bot', bot_type: 1 })
  const email = org.state.users.require(bot.user_id).delivery_email
  const hers = new Person(org.place, { id: bot.user_id, name: 'Bot', email, key: bot.api_key })
  const message = (to: number | string) => ({ type: 'channel', to, topic: 't', content: 'c' })
  const later = { scheduled_delivery_timestamp: 4_000_000_000 }
  for (const who of [anna, guest, hers]) {
    const { body } = await who.post('/messages', message(closed.id))
    expect(body).toEqual({
      result: 'error',
      msg: `Not authorized to send to channel with ID '${closed.id}'`,
      code: 'BAD_REQUEST',
    })
    // A user who sends the name in any letter case learns nothing more.
    const { msg } = (await who.post('/messages', message('zanzibar'))).body
    expect(msg).toBe("Not authorized to send to channel 'zanzibar'")
    const { text } = await who.post('/scheduled_messages', { ...message(closed.id), ...later })
    expect(text.toLowerCase()).not.toContain('zanzibar')
  }
  expect((await guest.post('/messages', message(open.id))).text).not.toContain('Plain')
  expect((await org.owner.delete(`/streams/${open.id}`)).status).toBe(200)
  expect((await anna.post('/messages', message(open.id))).body.msg).toBe(
    "Not authorized to send to channel 'Plain'",
  )
})

test('truncates long text and reads the names of the empty topic as empty', async () => {
  const org = await organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const client = await org.owner.register({ apply_markdown: false, event_types: ['message'] })
  const send = (topic: string, content: string) =>
    org.owner.post('/messages', { type: 'channel', to: channel.id, topic, content })
  await send('t'.repeat(100), 'x'.repeat(10_001))
  await send('(no topic)', 'one')
  await send('general chat', 'two')
  const [long, ...rest] = await client.events()
  expect(long?.message.subject).toBe(`${'t'.repeat(57)}...`)
  expect(long?.message.content).toHaveLength(10_000)
  expect(long?.message.content).toMatch(/\n\[message truncated\]$/)
  expect(rest.map((event) => event.message.subject)).toEqual(['', ''])
})

test('`(no topic)` is the empty topic when sending, and an ordinary name elsewhere', async () => {
  const org = await organization()
  const channel = await org.channel({ subscribers: [org.owner] })
  const { id } = (
    await org.owner.post('/messages', { type: 'channel', to: channel.id, topic: '(no topic)', content: 'x' })
  ).body
  const topics = async () =>
    (await org.owner.get(`/users/me/${channel.id}/topics`, { allow_empty_topic_name: true })).body.topics
  expect(await topics()).toEqual([{ name: '', max_id: id }])
  const read = { stream_id: channel.id, topic_name: '(no topic)' }
  expect((await org.owner.post('/mark_topic_as_read', read)).body.msg).toBe("No such topic '(no topic)'")
  await org.owner.post('/user_topics', { stream_id: channel.id, topic: '(no topic)', visibility_policy: 1 })
  const { user_topics } = (await org.owner.post('/register')).body
  expect(user_topics).toMatchObject([
    { topic_name: 'general chat', visibility_policy: 3 },
    { topic_name: '(no topic)', visibility_policy: 1 },
  ])
  await org.owner.patch(`/messages/${id}`, { topic: '(no topic)' })
  expect(await topics()).toMatchObject([{ name: '(no topic)' }])
})
