import { expect, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import { holdWrites } from '../../../../test/held-writes.ts'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const server = sharedServer()

test('tells a reaction to the readers of the channel to which its message was moved since', async () => {
  const { org, anna, ben, admin } = await cast(await server.organization())
  const from = await org.channel({ subscribers: [anna, ben, admin] })
  const to = await org.channel({ subscribers: [anna, admin], isPrivate: true, hasOpenHistory: true })
  const { body } = await anna.post('/messages', { type: 'channel', to: from.id, topic: 'a', content: 'text' })
  const [reader, left] = [await admin.register(), await ben.register()]
  const held = await holdWrites(org.log)
  const moved = await held.add(() => admin.patch(`/messages/${body.id}`, { stream_id: to.id }))
  const late = await held.add(() => ben.post(`/messages/${body.id}/reactions`, { emoji_name: 'heart' }))
  const good = await held.add(() => anna.post(`/messages/${body.id}/reactions`, { emoji_name: 'tada' }))
  await held.release()
  for (const { answer } of [moved, good]) expect((await answer).body).toMatchObject({ result: 'success' })
  expect((await late.answer).body).toMatchObject({ result: 'error', msg: 'Invalid message(s)' })
  const reactions = async (client: typeof reader) =>
    (await client.news()).filter((event) => event.type === 'reaction').map((event) => event.emoji_name)
  expect(await reactions(reader)).toEqual(['tada'])
  expect(await reactions(left)).toEqual([])
})

test('tells the same where a reaction is removed or a poll is voted in', async () => {
  const { org, anna, ben, admin } = await cast(await server.organization())
  const from = await org.channel({ subscribers: [anna, ben, admin] })
  const to = await org.channel({ subscribers: [anna, admin], isPrivate: true, hasOpenHistory: true })
  const place = { type: 'channel', to: from.id, topic: 'a' }
  const { body } = await anna.post('/messages', { ...place, content: '/poll Lunch?\nyes' })
  await anna.post(`/messages/${body.id}/reactions`, { emoji_name: 'heart' })
  const [reader, left] = [await admin.register(), await ben.register()]
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 })
  const voting = { message_id: body.id, msg_type: 'widget', content: vote }
  const held = await holdWrites(org.log)
  await held.add(() => admin.patch(`/messages/${body.id}`, { stream_id: to.id }))
  const removed = await held.add(() => anna.delete(`/messages/${body.id}/reactions`, { emoji_name: 'heart' }))
  const late = await held.add(() => ben.post('/submessage', voting))
  await held.release()
  expect((await removed.answer).body).toMatchObject({ result: 'success' })
  expect((await late.answer).body).toMatchObject({ result: 'error', msg: 'Invalid message(s)' })
  expect(await kinds(reader, ['reaction', 'submessage'])).toEqual(['reaction'])
  expect(await kinds(left, ['reaction', 'submessage'])).toEqual([])
})

test('a reaction is refused if the channel was archived while it waited to be written', async () => {
  const { org, anna, admin } = await cast(await server.organization())
  const channel = await org.channel({ subscribers: [anna, admin] })
  const place = { type: 'channel', to: channel.id, topic: 'a' }
  const { body } = await anna.post('/messages', { ...place, content: 'text' })
  const reader = await admin.register()
  const held = await holdWrites(org.log)
  const archived = await held.add(() => admin.delete(`/streams/${channel.id}`))
  const late = await held.add(() => anna.post(`/messages/${body.id}/reactions`, { emoji_name: 'heart' }))
  await held.release()
  expect((await archived.answer).body).toMatchObject({ result: 'success' })
  expect((await late.answer).body).toMatchObject({ result: 'error', msg: 'Invalid message(s)' })
  expect(await kinds(reader, ['reaction'])).toEqual([])
})

test('a message gets no more submessages by requests of one moment than by one after the other', async () => {
  const { org, anna, ben, admin } = await cast(await server.organization())
  const { body } = await anna.post('/messages', {
    type: 'direct',
    to: [ben.id, admin.id],
    content: '/poll Lunch?\nyes',
  })
  await org.log.commit(async (change) => {
    const content = '1'.repeat(10_000)
    const rows = Array.from({ length: 49 }, () => ({
      message_id: body.id,
      sender_id: anna.id,
      msg_type: 'widget',
      content,
    }))
    await change.insertAll('submessage', rows)
  })
  const option = JSON.stringify({ type: 'new_option', option: 'o'.repeat(6_000), idx: 1 })
  const held = await holdWrites(org.log)
  const answers = []
  for (const who of [ben, admin])
    answers.push(
      await held.add(() =>
        who.post('/submessage', { message_id: body.id, msg_type: 'widget', content: option }),
      ),
    )
  await held.release()
  const results = await Promise.all(answers.map(({ answer }) => answer))
  expect(results.map((one) => one.body.result)).toEqual(['success', 'error'])
})

async function kinds(client: Client, types: string[]): Promise<string[]> {
  return (await client.news()).map((event) => event.type).filter((type) => types.includes(type))
}
