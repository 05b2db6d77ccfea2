import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Wire } from './client.ts'
import { newDatabase } from './database.ts'
import { closeConnections } from './http.ts'
import { newOrganization, type Organization } from './organization.ts'
import { type Node, startNode } from './world.ts'

/** As much of zulip-js as is used here. It has no types of its own, and parameters are whatever one likes. */
type Ask = (params?: Wire) => Promise<Wire>
type ZulipJs = {
  queues: { register: Ask; deregister: Ask }
  events: { retrieve: Ask }
  messages: { send: Ask; retrieve: Ask }
  users: { me: { getProfile: Ask; subscriptions: { add: Ask } } }
}
type Account = { username: string; password: string; realm: string }

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

test('zulip-js talks through a restart and misses nothing', { timeout: 40_000 }, async () => {
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
  await vi.waitFor(async () => expect(await queuesOf(annsId)).toHaveLength(1), { timeout: 5_000 })
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
  await vi.waitFor(() => expect(listener.texts).toHaveLength(all.length), { timeout: 15_000 })
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

/** Runs zulip-js' own endless loop in a thread of its own, which can be ended. */
class Listener {
  /** What the messages said that it heard of. */
  readonly texts: string[] = []
  private readonly thread: Worker

  constructor(account: Account) {
    const code = `
      const { parentPort, workerData } = require('node:worker_threads')
      require('zulip-js')(workerData).then((client) => client.callOnEachEvent((event) => parentPort.postMessage(event)))`
    // What it prints when the server is away is nobody's business.
    this.thread = new Worker(code, { eval: true, workerData: account, stdout: true })
    this.thread.on('message', (event: Wire) => {
      if (event.type === 'message' && isTheirs(event.message)) this.texts.push(event.message.content)
    })
  }

  async stop() {
    await this.thread.terminate()
  }
}

/** Whether it is one of Ann's and Bob's, not a notice of the server. */
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
