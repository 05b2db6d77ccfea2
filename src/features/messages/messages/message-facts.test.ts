import { describe, expect, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import { messageIn, sender } from '../../../../test/messages.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

/** Returns the flags with which a client received the newest message. */
async function flagsOnArrival(client: Client) {
  return (await client.events()).findLast((event) => event.type === 'message')?.flags
}

async function idsIn(person: Person, word: string): Promise<number[]> {
  const narrow = [{ operator: 'is', operand: word }]
  const { body } = await person.get('/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow })
  return body.messages.map(({ id }: { id: number }) => id)
}

async function setting() {
  const org = await organization()
  const [anna, ben, cleo] = [await org.person(), await org.person({ name: 'Ben Bauer' }), await org.person()]
  const channel = await org.channel({ subscribers: [anna, ben, cleo] })
  return { org, anna, ben, cleo, channel, send: sender(anna, channel) }
}

describe('alert words', () => {
  test('flag messages for their owners who receive them', async () => {
    const { org, anna, ben, cleo, send } = await setting()
    const eve = await org.person()
    for (const person of [ben, eve]) await person.post('/users/me/alert_words', { alert_words: ['Lunch'] })
    const [bens, cleos] = [await ben.register(), await cleo.register()]
    const narrowed = await ben.register({ narrow: [['is', 'alerted']], event_types: ['message'] })
    const id = await send('t', 'who is for lunch?')
    await send('t', 'launch')
    expect(await narrowed.events()).toMatchObject([{ message: { id }, flags: ['has_alert_word'] }])
    expect((await bens.events())[0]).toMatchObject({ flags: ['has_alert_word'] })
    expect((await cleos.events())[0]).toMatchObject({ flags: [] })
    expect((await messageIn(ben, id)).flags).toEqual(['has_alert_word'])
    expect((await messageIn(eve, id)).flags).not.toContain('has_alert_word')
    expect(await idsIn(ben, 'alerted')).toEqual([id])
    expect(await idsIn(cleo, 'alerted')).toEqual([])
    const direct = await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'LUNCH!' })
    expect(await flagsOnArrival(bens)).toEqual(['has_alert_word'])
    expect(await idsIn(ben, 'alerted')).toEqual([id, direct.body.id])
    await bens.expectStateToMatch()
  })

  test('are checked again when a message is edited', async () => {
    const { anna, ben, send } = await setting()
    await ben.post('/users/me/alert_words', { alert_words: ['lunch'] })
    const [id, other] = [await send('t', 'lunch'), await send('t', 'dinner')]
    const client = await ben.register()
    await anna.patch(`/messages/${id}`, { content: 'breakfast' })
    await anna.patch(`/messages/${other}`, { content: 'a late lunch' })
    expect(await client.events()).toMatchObject([
      { type: 'update_message', message_id: id, flags: [] },
      { type: 'update_message', message_id: other, flags: ['has_alert_word'] },
    ])
    expect(await idsIn(ben, 'alerted')).toEqual([other])
  })
})

describe('@**topic**', () => {
  test('mentions the users who have written in the topic or reacted there', async () => {
    const { org, anna, ben, cleo, channel, send } = await setting()
    const dan = await org.person()
    await org.owner.post('/users/me/subscriptions', {
      subscriptions: [{ name: channel.name }],
      principals: [dan.id],
    })
    const first = await send('T', 'hello')
    await sender(cleo, channel)('other', 'elsewhere')
    await sender(dan, channel)('t', 'me too')
    await ben.post(`/messages/${first}/reactions`, { emoji_name: 'tada' })
    const [bens, cleos] = [await ben.register(), await cleo.register()]
    const id = await send('t', 'hey @**topic**')
    const flags = ['topic_wildcard_mentioned', 'wildcard_mentioned']
    expect(await flagsOnArrival(bens)).toEqual(flags)
    expect(await flagsOnArrival(cleos)).toEqual([])
    for (const person of [anna, ben, dan])
      expect((await messageIn(person, id)).flags).toEqual(expect.arrayContaining(flags))
    expect((await messageIn(cleo, id)).flags).toEqual([])
    expect(await idsIn(ben, 'mentioned')).toEqual([id])
    expect(await idsIn(cleo, 'mentioned')).toEqual([])
    expect((await ben.register()).state.unread_msgs.mentions).toEqual([id])
    await bens.expectStateToMatch()
  })

  test('is restricted in topics with many participants, in new messages and in edits', async () => {
    const { org, anna, channel, send } = await setting()
    const many = await Promise.all(Array.from({ length: 15 }, () => org.person()))
    const first = await send('busy', 'hello')
    for (const person of many) await person.post(`/messages/${first}/reactions`, { emoji_name: 'tada' })
    const group = { new: org.group('role:administrators') }
    await org.owner.patch('/realm', { can_mention_many_users_group: group })
    const refused = {
      code: 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      msg: 'You do not have permission to use topic wildcard mentions in this topic.',
    }
    const message = { type: 'channel', to: channel.id, topic: 'busy', content: '@**topic**' }
    expect((await anna.post('/messages', message)).body).toMatchObject(refused)
    expect((await anna.patch(`/messages/${first}`, { content: '@**topic**' })).body).toMatchObject(refused)
    expect((await anna.post('/messages', { ...message, topic: 'quiet' })).body.result).toBe('success')
    expect((await org.owner.post('/messages', message)).body.result).toBe('success')
  })
})

describe('a user who is mentioned by name', () => {
  test('follows the topic, unless they have muted it or turned this off', async () => {
    const { anna, ben, cleo, channel, send } = await setting()
    const clients = [await ben.register(), await anna.register(), await cleo.register()]
    await send('one', '@**Ben Bauer** and @**all**')
    expect(await clients[0]!.events()).toMatchObject([
      { type: 'muted_topics' },
      { type: 'user_topic', topic_name: 'one', visibility_policy: 3 },
      { type: 'message' },
    ])
    expect(await clients[2]!.events()).toMatchObject([{ type: 'message' }])
    await ben.post('/user_topics', { stream_id: channel.id, topic: 'two', visibility_policy: 1 })
    await clients[0]!.events()
    await send('two', '@**Ben Bauer**')
    await ben.patch('/settings', { automatically_follow_topics_where_mentioned: false })
    await send('three', '@**Ben Bauer**')
    const heard = (await clients[0]!.events()).map((event) => event.type)
    expect(heard.filter((type) => type === 'user_topic')).toEqual([])
    for (const client of clients) await client.expectStateToMatch()
  })

  test('and a user who reacts follows, too, if participation is enough', async () => {
    const { ben, cleo, send } = await setting()
    await ben.patch('/settings', { automatically_follow_topics_policy: 1 })
    const client = await ben.register()
    const id = await send('t', 'hello')
    for (const person of [ben, cleo]) await person.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
    expect(await client.events()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'user_topic', topic_name: 't', visibility_policy: 3 }),
      ]),
    )
    await client.expectStateToMatch()
  })
})

describe('a muted user', () => {
  test('produces only read messages, in channels and in direct messages, including earlier messages', async () => {
    const { anna, ben, cleo, channel, send } = await setting()
    const before = await send('t', 'before')
    const [bens, cleos] = [await ben.register(), await cleo.register()]
    await ben.post(`/users/me/muted_users/${anna.id}`)
    expect(await bens.events()).toMatchObject([
      { type: 'muted_users' },
      { type: 'update_message_flags', op: 'add', flag: 'read', messages: [before] },
    ])
    const sends = [1, 2, 3].flatMap((n) => [
      send('t', `muted ${n}`),
      sender(cleo, channel)('t', `heard ${n}`),
    ])
    const sent = await Promise.all(sends)
    await anna.post('/messages', { type: 'direct', to: [ben.id], content: 'psst' })
    const unread = [sent[1], sent[3], sent[5]]
    expect((await ben.register()).state.unread_msgs).toMatchObject({
      count: 3,
      streams: [{ unread_message_ids: unread.sort((a, b) => a! - b!) }],
      pms: [],
    })
    await bens.expectStateToMatch()
    await cleos.expectStateToMatch()
    await ben.post('/messages/flags', { messages: [sent[0]], op: 'remove', flag: 'read' })
    await ben.delete(`/users/me/muted_users/${anna.id}`)
    await send('t', 'heard again')
    expect(await flagsOnArrival(bens)).toEqual([])
    await bens.expectStateToMatch()
  })
})

test('refuses to summarize messages', async () => {
  const { anna } = await setting()
  const { body } = await anna.get('/messages/summary', { narrow: [{ operator: 'is', operand: 'dm' }] })
  expect(body).toMatchObject({ code: 'BAD_REQUEST', msg: 'AI features are not enabled on this server.' })
})
