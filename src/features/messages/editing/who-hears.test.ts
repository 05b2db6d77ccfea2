import { describe, expect, test } from 'vitest'
import { everyCapability } from '../../../../test/client.ts'
import { direct, messageIn, sender } from '../../../../test/messages.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

const oldClient = { client_capabilities: { ...everyCapability, bulk_message_deletion: false } }
const silently = { send_notification_to_new_thread: false }

const edit = (who: Person, id: number, changes: object) => who.patch(`/messages/${id}`, { ...changes })
const react = (who: Person, id: number) => who.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
const star = (who: Person, messages: number[]) =>
  who.post('/messages/flags', { messages, op: 'add', flag: 'starred' })

describe('a client without bulk_message_deletion', () => {
  test('receives an event for each message that is moved out of its access', async () => {
    const org = await organization()
    const anna = await org.person()
    const from = await org.channel({ subscribers: [org.owner, anna] })
    const closed = await org.channel({ subscribers: [org.owner], isPrivate: true })
    const send = sender(org.owner, from)
    const ids = [await send('t', 'a'), await send('t', 'b'), await send('t', 'c'), await send('t', 'd')]
    await send('other', 'stays')
    await star(anna, ids)
    const [old, current] = [await anna.register(oldClient), await anna.register()]
    await edit(org.owner, ids[0]!, { stream_id: closed.id, propagate_mode: 'change_all', ...silently })
    const gone = { type: 'delete_message', stream_id: from.id, topic: 't' }
    expect(await old.events()).toMatchObject(ids.toReversed().map((message_id) => ({ ...gone, message_id })))
    expect(await current.events()).toMatchObject([{ ...gone, message_ids: ids }])
    for (const client of [old, current]) await client.expectStateToMatch()
  })

  test('receives no event that other clients would not receive', async () => {
    const org = await organization()
    const eve = await org.person()
    const channel = await org.channel({ subscribers: [org.owner] })
    for (const text of ['a', 'b']) await sender(org.owner, channel)('t', text)
    const client = await eve.register(oldClient)
    await org.owner.post(`/streams/${channel.id}/delete_topic`, { topic_name: 't' })
    expect(await client.events()).toEqual([])
  })
})

describe('a user who has starred a message or reacted to it without being subscribed', () => {
  async function setting() {
    const org = await organization()
    const [anna, dora, emil, eve] = [
      await org.person(),
      await org.person(),
      await org.person(),
      await org.person(),
    ]
    const channel = await org.channel({ subscribers: [anna] })
    const open = await org.channel({ subscribers: [org.owner] })
    const closed = await org.channel({ subscribers: [org.owner], isPrivate: true })
    const send = sender(anna, channel)
    await send('other', 'stays')
    const ids = [await send('t', '/poll a?'), await send('t', 'b'), await send('t', 'c')]
    await star(dora, ids)
    await react(emil, ids[0]!)
    await react(emil, ids[1]!)
    const clients = [await dora.register(), await emil.register(), await eve.register()] as const
    const heard = async () => {
      const events = await Promise.all(clients.map((client) => client.events()))
      for (const client of clients) await client.expectStateToMatch()
      return events
    }
    return { org, anna, channel, open, closed, ids, heard }
  }

  test('receives edits, reactions, votes and renamed topics', async () => {
    const { anna, ids, heard } = await setting()
    await edit(anna, ids[1]!, { content: 'new' })
    const edited = [{ type: 'update_message', message_id: ids[1], content: 'new' }]
    expect(await heard()).toMatchObject([edited, edited, []])
    await react(anna, ids[1]!)
    await anna.delete(`/messages/${ids[1]}/reactions`, { emoji_name: 'tada' })
    const reactions = ['add', 'remove'].map((op) => ({ type: 'reaction', op, user_id: anna.id }))
    expect(await heard()).toMatchObject([reactions, reactions, []])
    const content = JSON.stringify({ type: 'question', question: 'b?' })
    await anna.post('/submessage', { message_id: ids[0], msg_type: 'widget', content })
    const voted = [{ type: 'submessage', message_id: ids[0] }]
    expect(await heard()).toMatchObject([voted, voted, []])
    await edit(anna, ids[2]!, { topic: 'u', propagate_mode: 'change_all', ...silently })
    const moved = [{ type: 'update_message', message_ids: ids, subject: 'u' }]
    expect(await heard()).toMatchObject([moved, moved, []])
  })

  test('receives the moves and the deletions of messages', async () => {
    const { org, anna, channel, open, closed, ids, heard } = await setting()
    const [first, second, third] = ids as [number, number, number]
    await edit(org.owner, first, { stream_id: open.id, ...silently })
    const moved = [{ type: 'update_message', message_ids: [first], new_stream_id: open.id }]
    expect(await heard()).toMatchObject([moved, moved, []])
    await edit(org.owner, first, { stream_id: closed.id, ...silently })
    const away = [{ type: 'delete_message', message_ids: [first], stream_id: open.id }]
    expect(await heard()).toMatchObject([away, away, []])
    await org.owner.delete(`/messages/${second}`)
    const deleted = [{ type: 'delete_message', message_ids: [second], stream_id: channel.id }]
    expect(await heard()).toMatchObject([deleted, deleted, []])
    await anna.delete(`/messages/${third}`)
    expect((await heard())[0]).toMatchObject([{ type: 'delete_message', message_ids: [third] }])
  })

  test('receives nothing more after losing access', async () => {
    const org = await organization()
    const [anna, dora] = [await org.person(), await org.person()]
    const channel = await org.channel({ subscribers: [anna, dora], isPrivate: true, hasOpenHistory: true })
    const send = sender(anna, channel)
    const ids = [await send('t', '/poll a?'), await send('t', 'b')]
    await star(dora, ids)
    await dora.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
    const client = await dora.register()
    await edit(anna, ids[1]!, { content: 'secret' })
    await react(anna, ids[1]!)
    const content = JSON.stringify({ type: 'question', question: 'secret?' })
    await anna.post('/submessage', { message_id: ids[0], msg_type: 'widget', content })
    await edit(anna, ids[0]!, { topic: 'u', propagate_mode: 'change_all', ...silently })
    await org.owner.delete(`/messages/${ids[1]}`)
    expect(await client.events()).toEqual([])
  })
})

test('a user who received only some messages in the middle receives the events of all', async () => {
  const org = await organization()
  const people = [await org.person(), await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [org.owner] })
  const send = sender(org.owner, channel)
  const join = (who: Person) =>
    who.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }] })
  const leave = (who: Person) => who.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  const [anna, ben, carl] = people as [Person, Person, Person]
  await send('other', 'stays')
  const ids = [await send('t', '1')]
  await join(anna)
  ids.push(await send('t', '2'))
  await join(ben)
  ids.push(await send('t', '3'))
  await leave(anna)
  await leave(ben)
  ids.push(await send('t', '4'))
  await join(carl)
  ids.push(await send('t', '5'))
  await leave(carl)
  ids.push(await send('t', '6'))
  for (const person of people) await direct(org.owner, [person], 'newer')
  const clients = await Promise.all(people.map((person) => person.register()))
  const heard = () => Promise.all(clients.map((client) => client.events()))

  await edit(org.owner, ids[0]!, { topic: 'u', propagate_mode: 'change_all', ...silently })
  expect(await heard()).toMatchObject(people.map(() => [{ type: 'update_message', message_ids: ids }]))
  await org.owner.post(`/streams/${channel.id}/delete_topic`, { topic_name: 'u' })
  expect(await heard()).toMatchObject(people.map(() => [{ type: 'delete_message', message_ids: ids }]))
  for (const client of clients) await client.expectStateToMatch()
})

test('a message that moves only to another channel keeps the spelling of its topic', async () => {
  const org = await organization()
  const anna = await org.person()
  const from = await org.channel({ subscribers: [org.owner, anna] })
  const to = await org.channel({ subscribers: [org.owner, anna] })
  const send = sender(org.owner, from)
  const ids = [await send('Case', 'a'), await send('CASE', 'b')]
  const client = await anna.register()
  await edit(org.owner, ids[1]!, { stream_id: to.id, propagate_mode: 'change_all', ...silently })
  const moved = await Promise.all(ids.map((id) => messageIn(anna, id)))
  expect(moved).toMatchObject(['Case', 'CASE'].map((subject) => ({ stream_id: to.id, subject })))
  for (const { edit_history } of moved) expect(edit_history[0]).not.toHaveProperty('topic')
  await client.expectStateToMatch()
})
