import { expect, test } from 'vitest'
import type { Client } from '../../../../test/client.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

function add(person: Person, names: string[], params: Record<string, unknown> = {}) {
  const subscriptions = names.map((name) => ({ name }))
  return person.post('/users/me/subscriptions', { subscriptions, ...params })
}

async function messages(client: Client) {
  return (await client.events()).filter(({ type }) => type === 'message')
}

test('a new channel begins with a notice of its creator', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person({ name: 'Ann' }), await org.person()]
  const clients = [await ann.register({ apply_markdown: false }), await bob.register()] as const
  await ann.post('/users/me/subscriptions', {
    subscriptions: [{ name: 'open', description: 'for ```all```' }],
    principals: [ann.id, bob.id],
  })
  expect(await messages(clients[0])).toMatchObject([
    {
      flags: ['read'],
      message: {
        display_recipient: 'open',
        subject: 'channel events',
        sender_full_name: 'Notification Bot',
        content: `**Public** channel created by @_**Ann|${ann.id}**. **Description:**\n\`\`\`\` quote\nfor \`\`\`all\`\`\`\n\`\`\`\``,
      },
    },
  ])
  // A new channel notifies no user except through this.
  expect(await messages(clients[1])).toMatchObject([{ flags: [], message: { display_recipient: 'open' } }])
  await add(ann, ['closed'], { invite_only: true, topics_policy: 'empty_topic_only' })
  const [notice] = await messages(clients[0])
  expect(notice).toMatchObject({ message: { subject: '' } })
  expect(notice!.message.content).toContain('**Private, protected history** channel created')
  for (const client of clients) await client.expectStateToMatch()
})

test('public channels are announced on request, in the organization’s channel for that', async () => {
  const org = await organization()
  const [ann, bob] = [await org.person({ name: 'Ann' }), await org.person()]
  const lobby = await org.channel({ subscribers: [bob] })
  await org.owner.patch('/realm', { new_stream_announcements_stream_id: lobby.id })
  const client = await bob.register({ apply_markdown: false })
  await add(ann, ['one'], { announce: true })
  await add(ann, ['two', 'three'], { announce: true })
  await add(ann, ['four'])
  await add(ann, ['hidden'], { announce: true, invite_only: true })
  const me = `@_**Ann|${ann.id}**`
  expect(await messages(client)).toMatchObject([
    { message: { subject: 'new channels', content: `${me} created a new channel #**one**.` } },
    { message: { content: `${me} created the following channels: #**two**, #**three**.` } },
  ])
  const html = (await messages(await bob.register()))[0]
  expect(html).toBeUndefined()
  const { body } = await bob.get('/messages', { anchor: 'newest', num_before: 2, num_after: 0, narrow: [] })
  const id = org.state.channelByName('one')!.id
  expect(body.messages[0].content).toContain(`data-stream-id="${id}"`)
})

test('users whom another user subscribes to existing channels receive a message', async () => {
  const org = await organization()
  const [ann, bob, carol] = [await org.person({ name: 'Ann' }), await org.person(), await org.person()]
  const bot = await org.bot(ann)
  const [one, two] = [
    await org.channel({ name: 'one', subscribers: [carol] }),
    await org.channel({ name: 'two' }),
  ]
  const everybody = [ann, bob, carol, bot]
  const clients = await Promise.all(everybody.map((person) => person.register({ apply_markdown: false })))
  const { body } = await add(ann, [one.name, two.name, 'fresh'], {
    principals: everybody.map(({ id }) => id),
  })
  expect(body.new_subscription_messages_sent).toBe(true)
  const direct = async (client: Client) =>
    (await messages(client)).filter(({ message }) => message.type === 'private')
  expect(await direct(clients[0]!)).toEqual([])
  expect(await direct(clients[3]!)).toEqual([])
  expect(await direct(clients[1]!)).toMatchObject([
    {
      flags: [],
      message: {
        sender_full_name: 'Notification Bot',
        content: `@**Ann|${ann.id}** subscribed you to the following channels:\n\n* #**one**\n* #**two**`,
      },
    },
  ])
  expect(await direct(clients[2]!)).toMatchObject([
    { message: { content: `@**Ann|${ann.id}** subscribed you to the channel #**two**.` } },
  ])
  for (const client of clients) await client.expectStateToMatch()
})

test('no user is notified if the request says so, or if there are too many', async () => {
  const org = await organization()
  const ann = await org.person()
  const channel = await org.channel()
  const ids = await org.crowd(101)
  const client = await ann.register()
  const quiet = { principals: [ann.id], send_new_subscription_messages: false }
  const { body } = await add(org.owner, [channel.name], quiet)
  expect(body).not.toHaveProperty('new_subscription_messages_sent')
  await ann.delete('/users/me/subscriptions', { subscriptions: [channel.name] })
  const many = await add(org.owner, [channel.name], { principals: [ann.id, ...ids] })
  expect(many.body.new_subscription_messages_sent).toBe(false)
  expect(await messages(client)).toEqual([])
})
