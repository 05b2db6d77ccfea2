import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ServerProcess } from '../../../test/processes/server-process.ts'
import { atEndOfFile } from '../../../test/runner/end-of-file.ts'

const clients = 1_000

test('a thousand clients connect in one moment, though the server accepts none of them yet', async () => {
  const server = await ServerProcess.create()
  server.pause()
  atEndOfFile(() => server.resume())
  let connected = 0
  const sockets: Socket[] = []
  for (let i = 0; i < clients; i++) {
    const socket = connect(server.place.port, '127.0.0.1', () => connected++)
    sockets.push(socket.on('error', () => {}))
  }
  await expect.poll(() => connected).toBe(clients)
  server.resume()
  const head = `GET /health/live HTTP/1.1\r\nhost: ${server.place.host}\r\nconnection: close\r\n\r\n`
  for (const socket of sockets) socket.write(head)
  const answers = sockets.map((socket) => text(socket))
  const statuses = (await Promise.all(answers)).map((answer) => answer.slice(0, 12))
  expect(statuses).toEqual(Array(clients).fill('HTTP/1.1 200'))
})
