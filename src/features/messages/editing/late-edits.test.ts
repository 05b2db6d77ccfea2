import { expect, test } from 'vitest'
import { holdWrites } from '../../../../test/held-writes.ts'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const server = sharedServer()

test('a text that was written for another channel is refused once its message has moved', async () => {
  const { org, anna, ben, admin } = await cast(await server.organization())
  const from = await org.channel({ subscribers: [anna, ben, admin] })
  const to = await org.channel({ subscribers: [anna, admin], isPrivate: true })
  const { body } = await anna.post('/messages', { type: 'channel', to: from.id, topic: 'a', content: 'text' })
  const held = await holdWrites(org.log)
  await held.add(() => admin.patch(`/messages/${body.id}`, { stream_id: to.id }))
  const edited = await held.add(() => anna.patch(`/messages/${body.id}`, { content: 'for @**Ben**' }))
  await held.release()
  const { body: answer } = await edited.answer
  expect(answer).toMatchObject({ result: 'error', msg: 'The message has been moved meanwhile.' })
})
