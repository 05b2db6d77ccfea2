import { expect, test } from 'vitest'
import { holdWrites } from '../../../../test/held-writes.ts'
import { sender } from '../../../../test/messages.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function cast() {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [anna, ben, org.owner] })
  const other = await org.channel({ subscribers: [anna, ben, org.owner] })
  const ids = [await sender(anna, channel)('a', 'x'), await sender(anna, channel)('a', 'y')] as const
  return { org, ben, other, ids, client: await ben.register() }
}

test('a message that is deleted while a reader stars it is not among the starred ones', async () => {
  const { org, ben, ids, client } = await cast()
  const writes = await holdWrites(org.log)
  await writes.add(() => org.owner.delete(`/messages/${ids[0]}`))
  await writes.add(() => ben.post('/messages/flags', { messages: ids, op: 'add', flag: 'starred' }))
  await writes.release()
  await client.expectStateToMatch()
  expect((await ben.register()).state.starred_messages).toEqual([ids[1]])
})

test.each(['add', 'remove'])(
  'a message that moves while a reader marks it (%s) is read or not in its new place',
  async (op) => {
    const { org, ben, other, ids } = await cast()
    if (op === 'remove') await ben.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' })
    const client = await ben.register()
    const writes = await holdWrites(org.log)
    const move = { stream_id: other.id, send_notification_to_new_thread: false }
    await writes.add(() => org.owner.patch(`/messages/${ids[0]}`, move))
    await writes.add(() => ben.post('/messages/flags', { messages: ids, op, flag: 'read' }))
    await writes.release()
    await client.expectStateToMatch()
    const { count } = (await ben.register()).state.unread_msgs
    expect(count).toBe(op === 'add' ? 0 : 2)
  },
)

test('a message that moves to where a reader may not follow, while they star it, is not starred', async () => {
  const { org, ben, ids, client } = await cast()
  const secret = await org.channel({ subscribers: [org.owner], isPrivate: true })
  const writes = await holdWrites(org.log)
  const move = { stream_id: secret.id, send_notification_to_new_thread: false }
  await writes.add(() => org.owner.patch(`/messages/${ids[0]}`, move))
  await writes.add(() => ben.post('/messages/flags', { messages: ids, op: 'add', flag: 'starred' }))
  await writes.release()
  await client.expectStateToMatch()
  expect((await ben.register()).state.starred_messages).toEqual([ids[1]])
})
