import { expect, test } from 'vitest'
import { holdWrites } from '../../../../test/held-writes.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('a user who is deactivated while another one unsubscribes them is counted out once', async () => {
  const org = await organization()
  const [admin, ben] = [await org.person({ role: 'administrator' }), await org.person()]
  const channel = await org.channel({ subscribers: [org.owner, admin, ben] })
  const client = await org.owner.register()
  const writes = await holdWrites(org.log)
  await writes.add(() => org.owner.delete(`/users/${ben.id}`))
  const leaving = { subscriptions: [channel.name], principals: [ben.id] }
  const { answer } = await writes.add(() => admin.delete('/users/me/subscriptions', leaving))
  await writes.release()
  expect((await answer).body.msg).toBe('User is deactivated')
  await client.expectStateToMatch()
})
