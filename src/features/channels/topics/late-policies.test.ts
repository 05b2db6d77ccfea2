import { expect, test } from 'vitest'
import { holdWrites } from '../../../../test/held-writes.ts'
import { cast } from '../../../../test/organization.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const server = sharedServer()

const mute = (who: Person, stream_id: number) =>
  who.post('/user_topics', { stream_id, topic: 'a', visibility_policy: 1 })
const muteByOldName = (who: Person, stream_id: number) =>
  who.patch('/users/me/subscriptions/muted_topics', { stream_id, topic: 'a', op: 'add' })

test.each([mute, muteByOldName])(
  'no topic of a channel is muted (%o) that was archived since',
  async (ask) => {
    const { org, anna, admin } = await cast(await server.organization())
    const channel = await org.channel({ subscribers: [anna] })
    const held = await holdWrites(org.log)
    await held.add(() => admin.delete(`/streams/${channel.id}`))
    const late = await held.add(() => ask(anna, channel.id))
    await held.release()
    expect((await late.answer).body).toMatchObject({ result: 'error', msg: 'Invalid channel ID' })
    expect((await anna.register()).state.user_topics).toEqual([])
  },
)

test('nor one of a private channel that the user has lost', async () => {
  const { org, anna, admin } = await cast(await server.organization())
  const channel = await org.channel({ subscribers: [anna, admin], isPrivate: true })
  const held = await holdWrites(org.log)
  const leaving = { subscriptions: [channel.name], principals: [anna.id] }
  await held.add(() => admin.delete('/users/me/subscriptions', leaving))
  const late = await held.add(() => mute(anna, channel.id))
  await held.release()
  expect((await late.answer).body).toMatchObject({ result: 'error', msg: 'Invalid channel ID' })
})
