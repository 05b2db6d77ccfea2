import { syncBuiltinESMExports } from 'node:module'
import { connect, type Socket } from 'node:net'
import timers, { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { direct } from '../../../test/messages.ts'
import { basic, type Person } from '../../../test/person.ts'
import { type Node, testServer } from '../../../test/test-server.ts'
import { httpLimits } from '../limits.ts'

// Clients that return at the same moment get their events in steps, between which others get what they ask for.

const server = testServer()
const { organization, anotherNode } = server

/** More than one step has time for. */
const many = 4_000

/** Connections that the node has accepted. */
async function connections(node: Node, count: number): Promise<Socket[]> {
  const { server } = node.app.http
  const open = await promisify(server.getConnections.bind(server))()
  const sockets = Array.from({ length: count }, () => connect(node.port, '127.0.0.1'))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await expect.poll(promisify(server.getConnections.bind(server))).toBeGreaterThanOrEqual(open + count)
  return sockets
}

/** Sends a request, and resolves with the text of its response. */
async function ask(socket: Socket, { place, email, key }: Person, path: string): Promise<string> {
  const head = [`GET /api/v1${path} HTTP/1.1`, `host: ${place.host}`, `authorization: ${basic(email, key)}`]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  let text = ''
  for await (const piece of socket) {
    text += piece
    if (text.endsWith('}\n')) return text
  }
  return text
}

/** A queue with a message, and how to poll it. */
async function pollOf(person: Person, content: string): Promise<string> {
  const { queueId, state } = await person.register({ event_types: ['message'] })
  await direct(person, [person], content)
  return `/events?queue_id=${queueId}&last_event_id=${state.last_event_id}`
}

test('another user gets an answer while very many clients poll at the same moment', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const poll = await pollOf(anna, 'hello')
  const [other, ...sockets] = await connections(server.node, many + 1)
  const answered: string[] = []
  const note = async (who: string, answer: Promise<string>) => {
    expect(await answer).toContain(' 200 ')
    answered.push(who)
  }
  const polls = sockets.map((socket) => note('poll', ask(socket, anna, poll)))
  await Promise.all([...polls, note('other', ask(other!, ben, '/users/me'))])
  const before = answered.indexOf('other')
  expect(answered.length - before).toBeGreaterThan(100)
})

test('each of them gets its own events, also when others leave before their turn', async () => {
  const org = await organization()
  const [anna, ben] = [await org.person(), await org.person()]
  const polls = [await pollOf(anna, 'for Anna'), await pollOf(ben, 'for Ben')]
  const sockets = await connections(server.node, many)
  const answers = sockets.map((socket, i) => ask(socket, i % 2 ? ben : anna, polls[i % 2]!).catch(() => ''))
  await Promise.race(answers)
  const leaving = sockets.map((_, i) => i % 3 === 0 && i > many / 2)
  for (const [i, socket] of sockets.entries()) if (leaving[i]) socket.destroy()
  for (const [i, text] of (await Promise.all(answers)).entries()) {
    if (!leaving[i]) expect(text).toContain(i % 2 ? 'for Ben' : 'for Anna')
  }
})

/** Holds up what goes on when other work has run. Returns what lets it go on. */
function holdSteps() {
  const { setImmediate } = timers
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const replace = (wait: unknown) => {
    Object.assign(timers, { setImmediate: wait })
    syncBuiltinESMExports()
  }
  replace(() => held)
  onTestFinished(() => replace(setImmediate))
  return release
}

/** Polls of a node that wait for their turn until `release` is called. */
async function heldPolls() {
  const { owner } = await organization()
  const node = await anotherNode()
  const there = owner.at({ port: node.port, host: '127.0.0.1' })
  const poll = await pollOf(there, 'hello')
  const [first, ...others] = await connections(node, 50)
  const release = holdSteps()
  await ask(first!, there, poll)
  // The time of the step is over.
  await sleep(2 * httpLimits.stepMs)
  let come = 0
  node.app.http.server.on('request', () => come++)
  const answers = others.map((socket) => ask(socket, there, poll))
  await expect.poll(() => come).toBe(others.length)
  return { node, answers, release }
}

test('those whose turn has not come when a server stops get their events', async () => {
  const { node, answers, release } = await heldPolls()
  const closed = node.close()
  release()
  for (const text of await Promise.all(answers)) expect(text).toContain('hello')
  await closed
})

test('those whose turn does not come before a server must have stopped are told that it stops', async () => {
  const { node, answers } = await heldPolls()
  await node.close()
  for (const text of await Promise.all(answers)) expect(text).toMatch(/ 503 [\s\S]*The server is stopping/)
})
