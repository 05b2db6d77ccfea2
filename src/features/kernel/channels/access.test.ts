import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

function say(person: Person, to: number | string) {
  return person.post('/messages', { type: 'channel', to: JSON.stringify(to), topic: 't', content: 'x' })
}

test('who may post in a channel, and which errors other users get', async () => {
  const org = await organization()
  const [ann, bob, guest] = [await org.person(), await org.person(), await org.person({ role: 'guest' })]
  const open = await org.channel({ subscribers: [guest] })
  const secret = await org.channel({ subscribers: [ann], isPrivate: true })
  const quiet = await org.channel({ permissions: { can_send_message_group: 'role:administrators' } })
  const archived = await org.channel({ subscribers: [org.owner] })
  await org.owner.delete(`/streams/${archived.id}`)
  const unsubscribed = await org.channel()
  for (const [person, channel] of [
    [bob, open],
    [guest, open],
    [ann, secret],
    [org.owner, quiet],
  ] as const) {
    expect((await say(person, channel.id)).body).toMatchObject({ result: 'success' })
    expect((await say(person, channel.name.toUpperCase())).body).toMatchObject({ result: 'success' })
  }
  for (const [person, channel, shown] of [
    [bob, secret, `with ID '${secret.id}'`],
    [org.owner, secret, `'${secret.name}'`],
    [guest, unsubscribed, `with ID '${unsubscribed.id}'`],
    [org.owner, archived, `'${archived.name}'`],
  ] as const) {
    const refused = { code: 'BAD_REQUEST', msg: `Not authorized to send to channel ${shown}` }
    expect((await say(person, channel.id)).body).toMatchObject(refused)
    const named = `Not authorized to send to channel '${channel.name}'`
    expect((await say(person, channel.name)).body).toMatchObject({ ...refused, msg: named })
  }
  expect((await say(bob, quiet.id)).body.msg).toBe('You do not have permission to post in this channel.')
})

test('the error names a channel that does not exist', async () => {
  const org = await organization()
  const code = 'STREAM_DOES_NOT_EXIST'
  expect((await say(org.owner, 'nowhere')).body).toMatchObject({ code, stream: 'nowhere' })
  expect((await say(org.owner, 99_999)).body).toMatchObject({ code, stream_id: 99_999 })
})

test('a bot may post where its owner is subscribed', async () => {
  const org = await organization()
  const [ann, ben] = [await org.person(), await org.person()]
  const secret = await org.channel({ subscribers: [ann], isPrivate: true })
  expect((await say(await org.bot(ben), secret.id)).body.result).toBe('error')
  expect((await say(await org.bot(ann), secret.id)).body.result).toBe('success')
})

test('protected history shows users the messages they received, and shows former subscribers nothing', async () => {
  const org = await organization()
  const ann = await org.person()
  const secret = await org.channel({ subscribers: [org.owner], isPrivate: true })
  const before = (await say(org.owner, secret.id)).body.id
  await org.owner.post('/users/me/subscriptions', {
    subscriptions: [{ name: secret.name }],
    principals: [ann.id],
  })
  const since = (await say(org.owner, secret.id)).body.id
  expect((await ann.get(`/messages/${before}`)).body.msg).toBe('Invalid message(s)')
  expect((await ann.get(`/messages/${since}`)).body.result).toBe('success')
  await ann.delete('/users/me/subscriptions', { subscriptions: [secret.name] })
  expect((await ann.get(`/messages/${since}`)).body.msg).toBe('Invalid message(s)')
})
