import { expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import { Person } from '../../../../test/person.ts'
import { testServer } from '../../../../test/test-server.ts'
import { botTypes } from '../../../db/bot-types.ts'

const { organization, anotherNode } = testServer()

async function bot(org: Organization) {
  const params = { full_name: 'Helper', short_name: 'helper', bot_type: botTypes.generic }
  const { body } = await org.owner.post('/bots', params)
  const email = org.state.users.require(body.user_id).delivery_email
  return new Person(org.place, { id: body.user_id, name: params.full_name, email, key: body.api_key })
}

test('a bot receives mentions in a public channel that it is not subscribed to', async () => {
  const org = await organization()
  const [helper, other, ben] = [await bot(org), await org.person(), await org.person({ name: 'Ben' })]
  const channel = await org.channel({ subscribers: [org.owner] })
  const [its, bystanders, bens] = [await helper.register(), await other.register(), await ben.register()]
  const to = { type: 'channel', to: channel.name, topic: 'help' }
  await org.owner.post('/messages', { ...to, content: '@**Helper** and @**Ben**, are you there?' })
  await org.owner.post('/messages', { ...to, content: 'Never mind, `@**Helper**` and @_**Helper**' })

  const events = await its.events()
  expect(events).toMatchObject([{ flags: ['mentioned'], message: { stream_id: channel.id } }])
  expect(await bystanders.events()).toEqual([])
  expect(await bens.events()).toEqual([])
  for (const client of [its, bens]) await client.expectStateToMatch()
  const { body } = await helper.get(`/messages/${events[0]!.message.id}`)
  expect(body.message.flags).toContain('mentioned')
})

test('the bot also receives them from the log', async () => {
  const org = await organization()
  const helper = await bot(org)
  const channel = await org.channel({ subscribers: [org.owner] })
  const its = await helper.register({ event_types: ['message'] })
  const message = { type: 'channel', to: channel.name, topic: 'help', content: '@**Helper**' }
  await org.owner.post('/messages', message)
  const { port } = await anotherNode()
  const path = `/events?queue_id=${its.queueId}&last_event_id=-1&dont_block=true`
  const { body } = await helper.at({ ...org.place, port }).get(path)
  expect(body.events).toMatchObject([{ type: 'message', flags: ['mentioned'] }])
})

test('a mention in a private channel does not reach the bot', async () => {
  const org = await organization()
  const helper = await bot(org)
  const closed = await org.channel({ subscribers: [org.owner], isPrivate: true })
  const its = await helper.register({ event_types: ['message'] })
  const message = { type: 'channel', to: closed.id, topic: 't', content: '@**Helper**' }
  expect((await org.owner.post('/messages', message)).body).toMatchObject({ result: 'success' })
  expect(await its.events()).toEqual([])
})
