import { expect, test } from 'vitest'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function rendered(person: Person, content: string): Promise<string> {
  return (await person.post('/messages/render', { content })).body.rendered
}

test('a link to a topic contains its newest message, so that it stays valid after a rename', async () => {
  const org = await organization()
  const { owner } = org
  const channel = await org.channel({ subscribers: [owner], name: 'food' })
  const say = (topic: string, content = 'x') =>
    owner.post('/messages', { type: 'channel', to: channel.id, topic, content })
  await say('Lunch')
  const { id } = (await say('lunch')).body
  await say('tea')
  const address = `/#narrow/channel/${channel.id}-food/topic`

  expect(await rendered(owner, '#**food>LUNCH** #**food>dinner**')).toBe(
    `<p><a class="stream-topic" data-stream-id="${channel.id}" href="${address}/LUNCH/with/${id}">#food &gt; LUNCH</a> ` +
      `<a class="stream-topic" data-stream-id="${channel.id}" href="${address}/dinner">#food &gt; dinner</a></p>`,
  )
  const sent = (await say('tea', 'see #**Food>lunch**')).body
  const { message } = (await owner.get(`/messages/${sent.id}`)).body
  expect(message.content).toContain(`${address}/lunch/with/${id}"`)
})

test('the newest message in a private channel is not revealed', async () => {
  const org = await organization()
  const { owner } = org
  const channel = await org.channel({ subscribers: [owner], name: 'secret', isPrivate: true })
  await owner.post('/messages', { type: 'channel', to: channel.id, topic: 'plan', content: 'x' })
  expect(await rendered(owner, '#**secret>plan**')).toContain('/topic/plan"')
})

test('notices of a move contain the newest message of the topic they link to', async () => {
  const org = await organization()
  const { owner } = org
  const channel = await org.channel({ subscribers: [owner], name: 'food' })
  const params = { type: 'channel', to: channel.id, topic: 'lunch', content: 'x' }
  const [first, second] = [await owner.post('/messages', params), await owner.post('/messages', params)]
  const queue = await owner.register({ event_types: ['message'] })
  await owner.patch(`/messages/${first.body.id}`, { topic: 'tea', send_notification_to_old_thread: true })
  const [here, away] = await queue.events()
  expect(here!.message.content).toContain(`/topic/lunch/with/${second.body.id}"`)
  expect(away!.message.content).toContain(`/topic/tea/with/${first.body.id}"`)
})
