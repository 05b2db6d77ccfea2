import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { closed } from '../../../test/http.ts'
import { Html } from '../../lib/text/html.ts'
import { refuseExcess } from './refuse-excess.ts'

const fewConnections = { clientConnections: 2, connectionsRefused: 10, pipelinedRequests: 5 }

/** A server that answers no request before `answer` is called; returns a function that connects to it. */
async function listening(limits = fewConnections) {
  const waiting: (() => void)[] = []
  const server = createServer((_, response) => {
    waiting.push(() => response.end('well'))
  })
  const noted: string[] = []
  const options = {
    isFull: ({ headers }: IncomingMessage) => headers.host === 'full',
    isFree: (url?: string) => url === '/free.js?v=1',
    note: () => void noted.push('refused'),
    errorPage: ({ message }: Error, accepted = 'en') => new Html(`<p lang="${accepted}">${message}</p>`),
  }
  refuseExcess(server, options, limits)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const connected = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    let text = ''
    socket.on('data', (piece) => {
      text += piece
    })
    return { socket, text: () => text }
  }
  /** How many connections the server has not seen end. */
  const connections = () => promisify(server.getConnections.bind(server))()
  return { connected, connections, waiting, noted, answer: () => waiting.splice(0).map((go) => go()) }
}

const request = (host = 'here', path = '/') => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`

/** The request as a proxy forwards it. */
const forwarded = (...of: Parameters<typeof request>) =>
  request(...of).replace('\r\n\r\n', '\r\nx-forwarded-for: 10.1.1.1\r\n\r\n')

test('requests on connections beyond the limit get 503, and a place that becomes free can be taken', async () => {
  const { connected, connections, waiting, noted, answer } = await listening()
  const [first, second, third] = [await connected(), await connected(), await connected()]
  for (const { socket } of [first, second, third]) socket.write(request())
  await closed(third.socket)
  expect(third.text()).toMatch(/^HTTP\/1.1 503 .*\r\n(.*\r\n)*retry-after: 1\r\n/i)
  expect(noted).toEqual(['refused'])
  first.socket.destroy()
  await expect.poll(() => waiting.length).toBe(2)
  await expect.poll(connections).toBe(1)
  const fourth = await connected()
  fourth.socket.write(request())
  await expect.poll(() => waiting.length).toBe(3)
  answer()
  await expect.poll(fourth.text).toContain('well')
})

test('a host without room gets 503 on a connection that stays open, except for health checks and files', async () => {
  const { connected, waiting, answer } = await listening()
  const { socket, text } = await connected()
  socket.write(request('full'))
  await expect.poll(text).toContain('503 Service Unavailable')
  socket.write(request('full', '/health/ready'))
  await expect.poll(() => waiting.length).toBe(1)
  answer()
  await expect.poll(text).toContain('well')
  socket.write(request('full', '/free.js?v=1'))
  await expect.poll(() => waiting.length).toBe(1)
  answer()
  await expect.poll(() => text().split('well').length).toBe(3)
  expect(text()).not.toContain('onnection: close')
})

test('of two thousand clients that ask again and again, none is read after the second refusal', async () => {
  const count = 2_000
  const { connected } = await listening({ ...fewConnections, clientConnections: count })
  // The second refusal must come soon after the first, however slow the machine is.
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const clients: Awaited<ReturnType<typeof connected>>[] = []
  // A few at a time: the system lets only 511 wait to be accepted.
  while (clients.length < count) clients.push(...(await Promise.all(Array.from({ length: 100 }, connected))))
  const refusals = clients.map(() => 0)
  for (const [i, { socket }] of clients.entries()) {
    const ask = () => socket.write(request('full'))
    socket.on('data', () => {
      refusals[i]! += 1
      ask()
    })
    ask()
  }
  while (refusals.some((each) => each < 2)) await setImmediate()
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  expect(Math.max(...refusals)).toBe(2)
})

test('a client that is refused again is soon read again, and a proxy immediately', async () => {
  const { connected, waiting, answer } = await listening()
  const [own, proxy] = [await connected(), await connected()]
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  // expect.poll would advance the timers.
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await setImmediate()
  }
  const refusals = (text: string) => text.split('retry-after: 1').length - 1
  for (const count of [1, 2]) {
    own.socket.write('POST / HTTP/1.1\r\nhost: full\r\ncontent-length: 4\r\n\r\nbody')
    proxy.socket.write(forwarded('full'))
    await until(() => [own, proxy].every(({ text }) => refusals(text()) === count))
  }
  own.socket.write(request())
  proxy.socket.write(forwarded('here'))
  await until(() => waiting.length > 0)
  answer()
  await until(() => proxy.text().includes('well'))
  vi.advanceTimersByTime(799)
  proxy.socket.write(forwarded('here'))
  await until(() => waiting.length > 0)
  answer()
  await until(() => proxy.text().split('well').length > 2)
  expect(own.text()).not.toContain('well')
  vi.advanceTimersByTime(1)
  await until(() => waiting.length > 0)
  answer()
  await until(() => own.text().includes('well'))
})

test('a browser that wants a page is refused with a page, and programs with JSON', async () => {
  const { connected } = await listening()
  const asked = async (path: string) => {
    const { socket, text } = await connected()
    const accepts = 'accept: text/html,*/*;q=0.8\r\naccept-language: de\r\n'
    socket.write(request('full', path).replace('\r\n\r\n', `\r\n${accepts}\r\n`))
    await expect.poll(text).toMatch(/\r\n\r\n.+/)
    socket.destroy()
    return text()
  }
  const page = await asked('/login')
  expect(page).toMatch(/^HTTP\/1.1 503 /)
  expect(page).toMatch(/content-type: text\/html; charset=utf-8\r\n/i)
  expect(page).toMatch(/content-security-policy: default-src 'none'/i)
  expect(page).toMatch(/retry-after: 1\r\n/i)
  expect(page).toContain('<p lang="de">The server has too much to do')
  expect(await asked('/api/v1/messages')).toContain('{"result":"error"')
})

test('the body of a refused request is not read if its length is not known', async () => {
  const { connected } = await listening()
  const { socket, text } = await connected()
  const ended = closed(socket)
  socket.write('POST / HTTP/1.1\r\nhost: full\r\ntransfer-encoding: chunked\r\n\r\n')
  await ended
  expect(text()).toMatch(/503 .*connection: close/is)
})

test('a connection that sends more requests than may wait for their responses is closed', async () => {
  const { connected, waiting, answer } = await listening()
  const modest = await connected()
  for (let round = 1; round <= 3; round++) {
    modest.socket.write(request().repeat(fewConnections.pipelinedRequests))
    await expect.poll(() => waiting.length).toBe(fewConnections.pipelinedRequests)
    answer()
    await expect
      .poll(() => modest.text().split('well').length - 1)
      .toBe(round * fewConnections.pipelinedRequests)
  }
  const greedy = await connected()
  greedy.socket.write(request().repeat(fewConnections.pipelinedRequests + 2))
  await closed(greedy.socket)
})
