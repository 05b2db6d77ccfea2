import { expect, test } from 'vitest'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

test('there is no email address; users who may not read a channel do not learn even that', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person(), await org.person()]
  const secret = await org.channel({ isPrivate: true, subscribers: [ann] })
  const path = `/streams/${secret.id}/email_address`
  expect((await ann.get(path)).body).toEqual({ result: 'success', msg: '', email: '' })
  expect((await ann.get(path, { sender_id: ann.id })).body.email).toBe('')
  expect((await ann.get(path, { sender_id: bob.id })).body.msg).toBe('No such bot')
  expect((await org.owner.get(path)).body.msg).toBe('Invalid channel ID')
})
