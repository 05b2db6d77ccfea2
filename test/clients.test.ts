import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Wire } from './client.ts'
import { closeConnections } from './http.ts'
import { newOrganization, type Organization } from './organization.ts'
import { newDatabase } from './runner/database.ts'
import { type Node, startNode } from './test-server.ts'

/** The part of zulip-js that is used here. It has no types of its own, and parameters can be anything. */
type Ask = (params?: Wire) => Promise<Wire>
type ZulipJs = {
  queues: { register: Ask; deregister: Ask }
  events: { retrieve: Ask }
  messages: {
    send: Ask
    retrieve: Ask
    update: Ask
    getById: Ask
    getHistoryById: Ask
    deleteById: Ask
    deleteReactionById: Ask
    render(text: string): Promise<Wire>
    flags: { add: Ask; remove: Ask }
  }
  reactions: { add: Ask; remove: Ask }
  streams: {
    retrieve: Ask
    deleteById: Ask
    getStreamId(name: string): Promise<Wire>
    subscriptions: { retrieve: Ask }
    topics: { retrieve: Ask }
  }
  typing: { send: Ask }
  users: {
    retrieve: Ask
    create: Ask
    me: {
      getProfile: Ask
      subscriptions: { add: Ask; remove: Ask }
      alertWords: { retrieve: Ask }
      pointer: { retrieve: Ask }
    }
  }
  accounts: { retrieve: Ask }
  emojis: { retrieve: Ask }
  filters: { retrieve: Ask }
  server: { settings: Ask }
  callEndpoint(path: string, method: string, params?: Wire): Promise<Wire>
}
type Account = { username: string; realm: string } & ({ password: string } | { apiKey: string })

const zulip: (account: Account) => Promise<ZulipJs> = createRequire(import.meta.url)('zulip-js')

let database: Awaited<ReturnType<typeof newDatabase>>
let node: Node
let organization: Organization

beforeAll(async () => {
  database = await newDatabase()
  node = await startNode(database.url)
  organization = await newOrganization(node, '')
})

afterAll(async () => {
  closeConnections()
  await node?.close()
  await database?.drop()
})

test('zulip-js talks through a restart and misses nothing', async () => {
  const [annsAccount, bobsAccount] = [await newAccount('Ann'), await newAccount('Bob')]
  const [ann, bob] = [await zulip(annsAccount), await zulip(bobsAccount)]
  const bobsProfile = await bob.users.me.getProfile()
  for (const client of [ann, bob]) {
    const kitchen = JSON.stringify([{ name: 'kitchen' }])
    succeed(await client.users.me.subscriptions.add({ subscriptions: kitchen }))
  }
  const listener = new Listener(annsAccount)
  onTestFinished(() => listener.stop())
  const { user_id: annsId } = await ann.users.me.getProfile()
  await expect.poll(() => queuesOf(annsId)).toHaveLength(1)
  const queue = succeed(await bob.queues.register({ event_types: ['message'] }))

  const toChannel = { type: 'stream', to: 'kitchen', topic: 'lunch' }
  await say(ann, { ...toChannel, content: 'Is there soup?' })
  await say(bob, { ...toChannel, content: 'There is.' })
  await say(ann, { type: 'private', to: bobsProfile.email, content: 'Is it any good?' })
  await say(bob, { type: 'direct', to: [annsId], content: 'No.' })
  await node.close()
  node = await startNode(database.url, { port: node.port })
  await say(bob, { ...toChannel, content: 'Take the bread.' })
  await say(ann, { type: 'private', to: [bobsProfile.user_id], content: 'Thank you!' })

  const all = ['Is there soup?', 'There is.', 'Is it any good?', 'No.', 'Take the bread.', 'Thank you!']
  await vi.waitFor(() => expect(listener.texts).toHaveLength(all.length), { timeout: 20_000 })
  expect(listener.texts).toEqual(all)
  expect(await queuesOf(annsId)).toHaveLength(1)

  const { queue_id, last_event_id } = queue
  const { events } = succeed(await bob.events.retrieve({ queue_id, last_event_id, dont_block: true }))
  expect(events.map((event: Wire) => event.message.content)).toEqual(all)
  succeed(await bob.queues.deregister({ queue_id }))

  const fetched = await ann.messages.retrieve({ anchor: 'newest', num_before: 100, num_after: 0 })
  expect(fetched.messages.filter(isTheirs).map((message: Wire) => message.content)).toEqual(
    all.map((text) => `<p>${text}</p>`),
  )
  const narrow = [{ operator: 'dm', operand: bobsProfile.email }]
  const direct = await ann.messages.retrieve({ anchor: 'oldest', num_before: 0, num_after: 10, narrow })
  expect(direct.messages.map((message: Wire) => message.sender_full_name)).toEqual(['Ann', 'Bob', 'Ann'])
})

test('zulip-js works with channels and messages', async () => {
  const account = await newAccount('Carla')
  const carla = await zulip(account)
  const { messages, streams } = carla
  const subscriptions = JSON.stringify([{ name: 'garden' }])
  succeed(await carla.users.me.subscriptions.add({ subscriptions }))
  const { stream_id } = succeed(await streams.getStreamId('garden'))
  const place = { type: 'stream', to: 'garden', subject: 'Weeds' }
  const { id: message_id } = succeed(await messages.send({ ...place, content: 'They grow.' }))

  // PATCH and DELETE bring their parameters in the address, the id a second time.
  succeed(await messages.update({ message_id, content: 'They grow & grow: 100% `+`' }))
  expect(succeed(await messages.getById({ message_id })).message).toMatchObject({
    content: '<p>They grow &amp; grow: 100% <code>+</code></p>',
    client: 'node-fetch',
  })
  expect(succeed(await messages.getHistoryById({ message_id })).message_history).toHaveLength(2)
  expect(succeed(await streams.topics.retrieve({ stream_id })).topics).toContainEqual({
    name: 'Weeds',
    max_id: message_id,
  })
  const flagsOf = async () => succeed(await messages.getById({ message_id })).message.flags
  succeed(await messages.flags.add({ messages: [message_id], flag: 'starred' }))
  expect(await flagsOf()).toContain('starred')
  succeed(await messages.flags.remove({ messages: [message_id], flag: 'starred' }))
  expect(await flagsOf()).not.toContain('starred')

  const heart = { message_id, emoji_name: 'heart' }
  succeed(await carla.reactions.add(heart))
  expect(await messages.getById({ message_id })).toMatchObject({
    message: { reactions: [{ emoji_code: '2764' }] },
  })
  succeed(await carla.reactions.remove(heart))
  succeed(await carla.reactions.add(heart))
  succeed(await messages.deleteReactionById(heart))

  const newest = { anchor: 1000000000, num_before: 1, num_after: 0 }
  const narrow = [{ operator: 'stream', operand: 'garden' }]
  expect(succeed(await messages.retrieve({ ...newest, narrow })).messages).toMatchObject([{ id: message_id }])
  const remove = JSON.stringify(['garden'])
  expect(await carla.users.me.subscriptions.remove({ subscriptions: remove })).toMatchObject({
    removed: ['garden'],
  })
  const names = succeed(await streams.subscriptions.retrieve()).subscriptions.map(({ name }: Wire) => name)
  expect(names).not.toContain('garden')
  expect(succeed(await streams.retrieve()).streams.map(({ name }: Wire) => name)).toContain('garden')
})

test('zulip-js administers, and gets an answer also where there is nothing any more', async () => {
  const { email: username, key: apiKey } = organization.owner
  const owner = await zulip({ username, apiKey, realm: `http://127.0.0.1:${node.port}` })
  const dora = { email: 'dora@example.com', password: 'the password of Dora', full_name: 'Dora' }
  const { user_id } = succeed(await owner.users.create(dora))
  const { members } = succeed(await owner.users.retrieve({ client_gravatar: true }))
  expect(members).toContainEqual(expect.objectContaining({ user_id, full_name: 'Dora' }))
  const subscriptions = JSON.stringify([{ name: 'attic' }])
  succeed(await owner.users.me.subscriptions.add({ subscriptions, principals: [user_id] }))
  const { stream_id } = succeed(await owner.streams.getStreamId('attic'))
  succeed(await owner.streams.deleteById({ stream_id }))
  expect(await owner.streams.getStreamId('attic')).toMatchObject({ result: 'error' })

  const { id: message_id } = succeed(
    await owner.messages.send({ type: 'direct', to: [user_id], content: 'Hi' }),
  )
  succeed(await owner.messages.deleteById({ message_id }))
  for (const to of [[user_id], [user_id, organization.owner.id]]) {
    succeed(await owner.typing.send({ to, op: 'start' }))
  }
  expect(succeed(await owner.messages.render('**你好**')).rendered).toBe('<p><strong>你好</strong></p>')
  expect(succeed(await owner.users.me.alertWords.retrieve()).alert_words).toEqual([])
  expect(succeed(await owner.emojis.retrieve()).emoji).toEqual({})
  expect(succeed(await owner.server.settings()).zulip_feature_level).toBe(407)
  expect(succeed(await owner.callEndpoint('/users/me', 'GET')).email).toBe(username)
  for (const gone of [owner.users.me.pointer.retrieve(), owner.filters.retrieve()]) {
    expect(await gone).toMatchObject({ result: 'error', msg: expect.any(String) })
  }
  const anyTypes = succeed(await owner.queues.register({ event_types: null }))
  succeed(await owner.queues.deregister({ queue_id: anyTypes.queue_id }))
})

/** Runs zulip-js' own endless loop in a thread of its own, which can be ended. */
class Listener {
  /** The texts of the messages that it received. */
  readonly texts: string[] = []
  private readonly thread: Worker

  constructor(account: Account) {
    const code = `
      const { parentPort, workerData } = require('node:worker_threads')
      require('zulip-js')(workerData).then((client) => client.callOnEachEvent((event) => parentPort.postMessage(event)))`
    // Its output while the server is unavailable is ignored.
    this.thread = new Worker(code, { eval: true, workerData: account, stdout: true })
    this.thread.on('message', (event: Wire) => {
      if (event.type === 'message' && isTheirs(event.message)) this.texts.push(event.message.content)
    })
  }

  async stop() {
    await this.thread.terminate()
  }
}

/** Whether it is a message of Ann or Bob, not a notice of the server. */
function isTheirs(message: Wire) {
  return ['Ann', 'Bob'].includes(message.sender_full_name)
}

async function newAccount(name: string): Promise<Account> {
  const username = `${name.toLowerCase()}@example.com`
  const password = `the password of ${name}`
  succeed((await organization.owner.post('/users', { email: username, password, full_name: name })).body)
  return { username, password, realm: `http://127.0.0.1:${node.port}` }
}

async function say(client: ZulipJs, message: Wire) {
  succeed(await client.messages.send(message))
}

function queuesOf(userId: number) {
  const { read } = node.app.realms.connections
  return read.selectFrom('event_queue').where('user_id', '=', userId).select('id').execute()
}

function succeed(answer: Wire): Wire {
  expect(answer).toMatchObject({ result: 'success' })
  return answer
}
