import { expect, test } from 'vitest'
import type { Wire } from '../../../../../test/client.ts'
import { Person } from '../../../../../test/person.ts'
import { startNode, testServer } from '../../../../../test/test-server.ts'
import { flaggedById } from '../../../kernel/flags/flagged.ts'
import { changeFlags } from '../../flags/change-flags.ts'

const server = testServer()
const { organization, anotherNode } = server

type Term = { operator: string; operand: unknown }

test('a page from memory has what others have just written on another node', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [anna, ben] })
  const there = new Person({ ...ben.place, port: (await anotherNode()).port }, ben)
  const narrows: Term[][] = [[{ operator: 'channel', operand: channel.id }], []]
  const newest = async (narrow: Term[]) => {
    const page = await there.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })
    return page.body.messages.at(-1) as Wire
  }
  for (let i = 0; i < 20; i++) {
    const narrow = narrows[i % 2]!
    const { body } = await anna.post('/messages', {
      type: 'channel',
      to: channel.id,
      topic: 'x',
      content: `${i}`,
    })
    expect(await newest(narrow)).toMatchObject({ id: body.id, flags: [] })
    await anna.patch(`/messages/${body.id}`, { content: `${i} again` })
    await ben.post('/messages/flags', { messages: [body.id], op: 'add', flag: 'read' })
    expect(await newest(narrow)).toMatchObject({ content: `<p>${i} again</p>`, flags: ['read'] })
  }
})

test('a message that was moved while its reader marked it as read is read where it is now', async () => {
  const org = await organization()
  const ben = await org.person()
  const [from, to] = [await org.channel({ subscribers: [ben] }), await org.channel({ subscribers: [ben] })]
  const message = { type: 'channel', to: from.id, topic: 'x', content: 'hello' }
  const { id } = (await org.owner.post('/messages', message)).body
  const narrow = [{ operator: 'channel', operand: to.id }]
  const newest = async () =>
    (await ben.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })).body.messages
  const me = org.state.users.require(ben.id)
  const asItWas = await flaggedById({ realm: org.state, me, read: server.node.app.realms.connections.read }, [
    id,
  ])
  const move = { stream_id: to.id, send_notification_to_new_thread: false }
  expect(await org.owner.patch(`/messages/${id}`, move)).toMatchObject({ status: 200 })
  for (const _ of [1, 2]) expect(await newest()).toMatchObject([{ id, flags: [] }])
  for (const [op, flags] of [
    ['add', ['read']],
    ['remove', []],
  ] as const) {
    const { log, state: realm } = org
    const { site } = server.node
    const seen = asItWas.map((one) => ({ ...one, in_read: op === 'remove' }))
    await changeFlags({ realm, me, site, commit: log.commit }, { op, flag: 'read' }, seen)
    expect(await newest()).toMatchObject([{ id, flags }])
  }
})

test('a page has what others have written, even while the writes of its node stand still', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const { id } = await org.channel({ subscribers: [anna, ben] })
  const other = await anotherNode()
  const there = new Person({ ...ben.place, port: other.port }, ben)
  const log = await other.app.realms.byId(org.id)
  const send = async (content: string) =>
    (await anna.post('/messages', { type: 'channel', to: id, topic: 'x', content })).body
  const newest = async (narrow: Term[]) =>
    (await there.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })).body.messages
  const narrows: Term[][] = [[{ operator: 'channel', operand: id }], []]
  await send('first')
  await log.catchUp()
  for (const narrow of [...narrows, ...narrows]) expect(await newest(narrow)).toHaveLength(1)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  log.completeWith(() => held)
  const second = await send('second')
  for (const narrow of narrows) expect(await newest(narrow)).toMatchObject([{ id: second.id }])
  release()
  await log.catchUp()
  const { pages } = log.state.newest.use
  expect(await newest(narrows[0]!)).toMatchObject([{ id: second.id }])
  expect(log.state.newest.use.pages).toBe(pages + 1)
})

test('a page from memory shows nothing of a channel that its reader has lost on another node', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const channel = await org.channel({ subscribers: [anna, ben], isPrivate: true, hasOpenHistory: true })
  // It hears of nothing until it looks.
  const node = await startNode(server.databaseUrl, { natsUrl: 'nats://127.0.0.1:1' })
  const there = new Person({ ...ben.place, port: node.port }, ben)
  const narrow = [{ operator: 'channel', operand: channel.id }]
  const newest = async () =>
    (await there.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow })).body.messages
  const send = () => anna.post('/messages', { type: 'channel', to: channel.id, topic: 'x', content: 'hello' })
  await send()
  for (const _ of [1, 2]) expect(await newest()).toHaveLength(1)
  const { name } = org.state.channels.require(channel.id)
  const removal = { subscriptions: [name], principals: [ben.id] }
  expect(await org.owner.delete('/users/me/subscriptions', removal)).toMatchObject({ status: 200 })
  await send()
  expect(await newest()).toEqual([])
  await node.close()
})
