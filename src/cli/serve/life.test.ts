import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  metricsToken,
  newDirectory,
  openPolls,
  personOf,
  type Server,
  startServer,
} from '../../../test/command-line.ts'
import { closed } from '../../../test/http.ts'
import { basic, type Person } from '../../../test/person.ts'
import { newDatabase } from '../../../test/runner/database.ts'
import { atEndOfFile } from '../../../test/runner/end-of-file.ts'
import { closingSeconds } from '../../http/connection/closing.ts'

/** Loaded into the server: throws where nothing catches, and rejects where nothing waits. */
const faults = `
  process.on('SIGUSR2', () => setImmediate(() => { throw new Error('thrown from nowhere') }))
  process.on('SIGWINCH', () => { void Promise.reject(new Error('rejected for nobody')) })
  process.on('SIGCONT', () => setImmediate(() => { throw Object.assign(new Error('gone'), { code: 'EPIPE' }) }))`
const withFaults = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(faults)}` }

async function started(environment: NodeJS.ProcessEnv = {}) {
  const [directory, database] = [await newDirectory(), await newDatabase()]
  atEndOfFile(() => database.drop())
  const settings = {
    ROOKERY_DATA: directory,
    DATABASE_URL: database.url,
    ROOKERY_RATE_LIMITS: 'off',
    ROOKERY_METRICS_TOKEN: metricsToken,
  }
  const server = await startServer({ ...settings, ...environment })
  const owner = await personOf(server, await readFile(join(directory, 'zuliprc'), 'utf8'))
  return { server, owner }
}

/** Sends this on a connection, and returns what comes back. */
function talk({ place }: Person, bytes: string) {
  const socket: Socket = connect(place.port, '127.0.0.1')
  const said = { text: '', isOver: closed(socket) }
  socket.on('data', (piece) => {
    said.text += piece
  })
  socket.write(bytes)
  return said
}

function upload({ place, email, key }: Person) {
  const head = ['POST /api/v1/user_uploads HTTP/1.1', `Host: ${place.host}`, 'Content-Length: 100000']
  const more = [`Authorization: ${basic(email, key)}`, 'Content-Type: multipart/form-data; boundary=x']
  const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nhello'
  return `${[...head, ...more].join('\r\n')}\r\n\r\n${part}`
}

/** Begins to wait for events; returns how the wait ends. */
async function poll(owner: Person) {
  const { queueId, state } = await owner.register({ event_types: ['presence'] })
  const answer = owner.get('/events', { queue_id: queueId, last_event_id: state.last_event_id })
  await expect.poll(() => openPolls(owner)).toBe(1)
  return { answer }
}

async function stream(owner: Person) {
  const { place, email, key } = owner
  const { queueId } = await owner.register({ event_types: ['presence'] })
  const headers = { host: place.host, authorization: basic(email, key), accept: 'text/event-stream' }
  const path = `/api/v1/events?queue_id=${queueId}&last_event_id=-1`
  return new Promise<IncomingMessage>((resolve) => get({ port: place.port, path, headers }, resolve))
}

async function isLogged(server: Server, text: string) {
  await expect.poll(() => JSON.stringify(server.logged)).toContain(text)
  return server.logged.find((line) => JSON.stringify(line).includes(text))!
}

test('a server that is told to stop does so in time, whatever its clients do', async () => {
  const { server, owner } = await started()
  const events = await stream(owner)
  events.resume()
  const streamed = closed(events)
  const halfHead = talk(owner, 'GET /api/v1/users/me HTTP/1.1\r\nHost: local')
  const silent = talk(owner, '')
  const slow = talk(owner, upload(owner))
  const polling = await poll(owner)

  const since = performance.now()
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(performance.now() - since).toBeLessThan((closingSeconds + 12) * 1000)
  expect(await polling.answer).toMatchObject({ status: 200, body: { result: 'success' } })
  await Promise.all([halfHead.isOver, silent.isOver, slow.isOver, streamed])
  expect(slow.text).toMatch(/^HTTP\/1\.1 503 [\s\S]*"The server is stopping\. Try again in a moment\."/)
})

test('after an uncaught error, a server completes the requests that it can, and ends to be started again', async () => {
  const { server, owner } = await started(withFaults)
  const slow = talk(owner, upload(owner))
  const polling = await poll(owner)

  expect(await server.stop('SIGUSR2')).toBe(1)
  expect(await polling.answer).toMatchObject({ status: 200, body: { result: 'success' } })
  await slow.isOver
  expect(slow.text).toMatch(/^HTTP\/1\.1 503 /)
  const [line] = server.logged.filter(({ level }) => level === 60)
  expect(line).toMatchObject({
    err: { message: 'thrown from nowhere', stack: expect.stringContaining('at ') },
  })
})

test('unhandled rejections and connection errors are logged, and the server goes on', async () => {
  const { server, owner } = await started(withFaults)
  server.signal('SIGWINCH')
  const rejected = await isLogged(server, 'rejected for nobody')
  expect(rejected).toMatchObject({ level: 50, err: { stack: expect.stringContaining('at ') } })
  server.signal('SIGCONT')
  await isLogged(server, 'EPIPE')
  expect((await owner.get('/users/me')).status).toBe(200)
  expect(await server.stop('SIGTERM')).toBe(0)
})
