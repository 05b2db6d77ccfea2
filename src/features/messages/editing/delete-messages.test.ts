import { describe, expect, test } from 'vitest'
import { contentsOf, sender } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

describe('DELETE /messages/{id}', () => {
  test('notifies everyone who had the message, and no other user', async () => {
    const org = await organization()
    const [anna, ben, eve] = [await org.person(), await org.person(), await org.person()]
    const channel = await org.channel({ subscribers: [anna, ben] })
    const send = sender(anna, channel)
    await send('t', 'first')
    const [id] = [await send('t', 'bye'), await send('t', 'stays')]
    await ben.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
    await ben.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
    const [his, theirs] = [await ben.register(), await eve.register()]
    expect((await anna.delete(`/messages/${id}`)).body).toEqual({ result: 'success', msg: '' })
    expect(await his.events()).toEqual([
      {
        type: 'delete_message',
        message_ids: [id],
        message_type: 'stream',
        stream_id: channel.id,
        topic: 't',
        id: expect.any(Number),
      },
    ])
    expect(await theirs.events()).toEqual([])
    await his.expectStateToMatch()
    expect(await contentsOf(ben, channel)).toEqual([
      ['t', 'first'],
      ['t', 'stays'],
    ])
    expect((await anna.delete(`/messages/${id}`)).body.msg).toBe('Invalid message(s)')
  })

  test('notifies the user who deletes it without being subscribed', async () => {
    const org = await organization()
    const [anna, admin] = [await org.person(), await org.person({ role: 'administrator' })]
    const channel = await org.channel({ subscribers: [anna] })
    const send = sender(anna, channel)
    await send('t', 'first')
    const [gone, last] = [await send('t', 'gone'), await send('u', 'also gone')]
    await send('t', 'stays')
    const [deleters, others] = [await admin.register(), await org.owner.register()]
    await admin.delete(`/messages/${gone}`)
    await admin.post(`/streams/${channel.id}/delete_topic`, { topic_name: 'u' })
    const expected = [gone, last].map((id) => ({ type: 'delete_message', message_ids: [id] }))
    expect(await deleters.events()).toMatchObject(expected)
    expect(await others.events()).toEqual([])
    await deleters.expectStateToMatch()
    expect(await contentsOf(anna, channel)).toEqual([
      ['t', 'first'],
      ['t', 'stays'],
    ])
  })

  test('says which message of the channel is the first now', async () => {
    const org = await organization()
    const [anna, eve] = [await org.person(), await org.person()]
    const channel = await org.channel({ subscribers: [anna] })
    const send = sender(anna, channel)
    const ids = [await send('t', 'a'), await send('t', 'b'), await send('t', 'c')]
    await sender(anna, await org.channel({ subscribers: [anna] }))('t', 'newest')
    const [client, theirs] = [await anna.register(), await eve.register()]
    for (const id of [ids[1], ids[0], ids[2]]) await anna.delete(`/messages/${id}`)
    const first = { type: 'stream', op: 'update', property: 'first_message_id' }
    const about = { ...first, stream_id: channel.id, name: channel.name }
    expect(await client.events()).toMatchObject([
      { type: 'delete_message', message_ids: [ids[1]] },
      { ...about, value: ids[2] },
      { type: 'delete_message', message_ids: [ids[0]] },
      { ...about, value: null },
      { type: 'delete_message', message_ids: [ids[2]] },
    ])
    expect(await theirs.events()).toEqual([])
    await client.expectStateToMatch()
  })

  test('of a direct message notifies only the participants', async () => {
    const org = await organization()
    const [anna, ben, eve] = [await org.person(), await org.person(), await org.person()]
    const write = () => anna.post('/messages', { type: 'direct', to: [ben.id], content: 'x' })
    const [first] = [await write(), await write()]
    const [his, theirs] = [await ben.register(), await eve.register()]
    expect((await org.owner.delete(`/messages/${first.body.id}`)).body.msg).toBe('Invalid message(s)')
    await anna.delete(`/messages/${first.body.id}`)
    expect(await his.events()).toMatchObject([{ message_ids: [first.body.id], message_type: 'private' }])
    expect(await theirs.events()).toEqual([])
    await his.expectStateToMatch()
  })

  test('sends no event for messages that the client never received', async () => {
    const org = await organization()
    const channel = await org.channel({ subscribers: [org.owner] })
    const client = await org.owner.register()
    const id = await sender(org.owner, channel)('t', 'a slip')
    await org.owner.delete(`/messages/${id}`)
    const types = (await client.events()).map((event) => event.type)
    expect(types).not.toContain('message')
    expect(types.at(-1)).toBe('delete_message')
    const { body } = await org.owner.get('/messages', { anchor: 'oldest', num_after: 10 })
    expect(body.messages).toEqual([])
  })
})

describe('POST /streams/{id}/delete_topic', () => {
  test('deletes all messages of the topic and no others', async () => {
    const org = await organization()
    const anna = await org.person()
    const channel = await org.channel({ subscribers: [org.owner, anna] })
    const send = sender(org.owner, channel)
    await send('other', 'first')
    const ids = [await send('t', 'a'), await send('T', 'b'), await send('t', 'c')]
    await send('other', 'd')
    const client = await anna.register()
    const old = await anna.register({ client_capabilities: { notification_settings_null: true } })
    const path = `/streams/${channel.id}/delete_topic`
    expect((await anna.post(path, { topic_name: 't' })).body.msg).toBe(
      'Must be an organization administrator',
    )
    expect((await org.owner.post(path, { topic_name: 't' })).body).toMatchObject({ complete: true })
    expect(await client.events()).toMatchObject([{ type: 'delete_message', message_ids: ids, topic: 't' }])
    expect(await old.events()).toMatchObject(
      ids.toReversed().map((message_id) => ({ type: 'delete_message', message_id })),
    )
    await client.expectStateToMatch()
    expect(await contentsOf(anna, channel)).toEqual([
      ['other', 'first'],
      ['other', 'd'],
    ])
    expect((await org.owner.post(path, { topic_name: 'none' })).body).toMatchObject({ complete: true })
  })

  test("deletes the topic's visibility policies once the topic is empty", async () => {
    const org = await organization()
    const [anna, ben] = [await org.person(), await org.person()]
    const channel = await org.channel({ subscribers: [anna, ben] })
    const send = sender(org.owner, channel)
    await send('other', 'first')
    const ids = [await send('t', 'a'), await send('t', 'b')]
    await send('other', 'stays')
    await anna.post('/user_topics', { stream_id: channel.id, topic: 't', visibility_policy: 1 })
    const [annas, bens, owners] = [await anna.register(), await ben.register(), await org.owner.register()]
    await org.owner.post(`/streams/${channel.id}/delete_topic`, { topic_name: 't' })
    const gone = { type: 'delete_message', message_ids: ids }
    expect(await annas.events()).toMatchObject([
      gone,
      { type: 'muted_topics', muted_topics: [] },
      { type: 'user_topic', topic_name: 't', visibility_policy: 0 },
    ])
    expect(await bens.events()).toMatchObject([gone])
    // The authors of the messages receive the event without being subscribed.
    expect((await owners.events())[0]).toMatchObject(gone)
    for (const client of [annas, bens, owners]) await client.expectStateToMatch()
  })

  test('refuses administrators who may not read the channel', async () => {
    const org = await organization()
    const [admin, anna] = [await org.person({ role: 'administrator' }), await org.person()]
    const closed = await org.channel({ subscribers: [anna], isPrivate: true })
    await sender(anna, closed)('t', 'a')
    await anna.post('/user_topics', { stream_id: closed.id, topic: 't', visibility_policy: 3 })
    const client = await anna.register()
    const answer = await admin.post(`/streams/${closed.id}/delete_topic`, { topic_name: 't' })
    expect(answer).toMatchObject({ status: 400, body: { msg: 'Invalid channel ID' } })
    expect(await contentsOf(anna, closed)).toEqual([['t', 'a']])
    expect(await client.events()).toEqual([])
  })

  test('keeps the messages from before an administrator joined a channel with protected history', async () => {
    const org = await organization()
    const [admin, anna] = [await org.person({ role: 'administrator' }), await org.person()]
    const closed = await org.channel({ subscribers: [anna], isPrivate: true })
    const send = sender(anna, closed)
    await send('t', 'before')
    await anna.post('/users/me/subscriptions', {
      subscriptions: [{ name: closed.name }],
      principals: [admin.id],
    })
    await send('t', 'after')
    await anna.post('/user_topics', { stream_id: closed.id, topic: 't', visibility_policy: 3 })
    const answer = await admin.post(`/streams/${closed.id}/delete_topic`, { topic_name: 't' })
    expect(answer).toMatchObject({ status: 200, body: { complete: true } })
    expect(await contentsOf(anna, closed)).toEqual([['t', 'before']])
    expect((await anna.register()).state.user_topics).toMatchObject([
      { topic_name: 't', visibility_policy: 3 },
    ])
  })
})
