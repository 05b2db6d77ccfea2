import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { closed } from '../../../test/http.ts'
import { basic, type Person } from '../../../test/person.ts'
import { sendFiles } from '../../../test/pictures.ts'
import { testServer } from '../../../test/test-server.ts'

const all = testServer()
const { organization } = all

/** Longer than a busy machine keeps this process waiting, in milliseconds. */
const silenceMs = 1_000

/** Replaces the minute that silent connections get, for those that are opened from now on in this test. */
function allowSilence() {
  const { server } = all.node.app.http
  const usual = server.timeout
  server.timeout = silenceMs
  onTestFinished(() => {
    server.timeout = usual
  })
}

/** More than the buffers between a server and a client that does not read can hold. */
const size = 24 * 1024 * 1024

async function uploadBy(person: Person): Promise<string> {
  const { body } = await sendFiles(person, 'POST', '/user_uploads', [{ content: Buffer.alloc(size, 'a') }])
  return body.url
}

/** A connection of its own, on which data is read only on request. */
async function connected({ place }: Person): Promise<Socket> {
  const socket = connect(place.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

function request({ place, email, key }: Person, line: string, body = '') {
  const type = 'content-type: application/x-www-form-urlencoded'
  const head = [`${line} HTTP/1.1`, `host: ${place.host}`, `authorization: ${basic(email, key)}`, type]
  return `${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`
}

/** Returns how many bytes arrive until the connection closes. */
async function restOf(socket: Socket) {
  let bytes = 0
  socket.on('data', (piece) => {
    bytes += piece.length
  })
  socket.resume()
  await closed(socket)
  return bytes
}

/** How many uploads this process has open: other files and connections come and go. */
function openUploads() {
  return readdirSync('/proc/self/fd').filter((fd) => isUpload(`/proc/self/fd/${fd}`)).length
}

function isUpload(link: string) {
  try {
    return readlinkSync(link).includes('rookery-files-')
  } catch {
    return false // closed since it was listed
  }
}

test('who stops reading an answer loses the connection', async () => {
  const { owner } = await organization()
  const url = await uploadBy(owner)
  allowSilence()
  const socket = await connected(owner)
  socket.write(request(owner, `GET ${url}`))
  await once(socket, 'readable')
  // The server reads the file as long as it sends.
  await expect.poll(openUploads).toBe(0)
  const bytes = await restOf(socket)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(size)
})

test('who reads slowly gets all of it', async () => {
  const { owner } = await organization()
  const url = await uploadBy(owner)
  allowSilence()
  const socket = await connected(owner)
  socket.write(request(owner, `GET ${url}`))
  let bytes = 0
  const began = performance.now()
  while (bytes < size) {
    const piece: Buffer | null = socket.read()
    if (socket.closed) throw new Error(`closed after ${bytes} bytes`)
    bytes += piece?.length ?? 0
    await sleep(10)
  }
  expect(performance.now() - began).toBeGreaterThan(3 * silenceMs)
  socket.destroy()
})

test.each(['application/json', 'text/event-stream'])(
  'who waits for events as %s may wait',
  async (accept) => {
    const { owner } = await organization()
    const client = await owner.register()
    allowSilence()
    const socket = await connected(owner)
    const line = `GET /api/v1/events?queue_id=${client.queueId}&last_event_id=-1`
    socket.write(request(owner, line).replace('content-type:', `accept: ${accept}\r\nx-type:`))
    let text = ''
    socket.on('data', (piece) => {
      text += piece
    })
    await sleep(2 * silenceMs)
    await owner.post('/users/me/status', { status_text: 'back again' })
    await expect.poll(() => text).toContain('back again')
    socket.destroy()
  },
)

test('pipelined requests on one connection are answered one after the other', async () => {
  const { owner } = await organization()
  const socket = await connected(owner)
  const statuses = ['first', 'second', 'third']
  socket.write(
    statuses
      .map((text) => request(owner, 'POST /api/v1/users/me/status', `status_text=${text}`))
      .concat(request(owner, `GET /api/v1/users/${owner.id}/status`))
      .join(''),
  )
  let text = ''
  socket.on('data', (piece) => {
    text += piece
  })
  await expect.poll(() => text.match(/HTTP\/1.1 200/g)).toHaveLength(4)
  expect(text).toContain('"status_text":"third"')
  socket.destroy()
})

test('of requests that wait for another on their connection, nothing stays when it closes', async () => {
  const { owner } = await organization()
  const url = await uploadBy(owner)
  const socket = await connected(owner)
  socket.write(request(owner, `GET ${url}`).repeat(30))
  await expect.poll(openUploads).toBe(1)
  socket.destroy()
  await expect.poll(openUploads).toBe(0)
})
