import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { closed } from '../../../test/http.ts'
import { UnreadAnswers } from './unread-answers.ts'

const mib = 1024 * 1024

/** A server whose responses have as many MiB as the path says; it holds at most 40 MiB of them. */
async function listening() {
  const unread = new UnreadAnswers(40 * mib)
  const server = createServer(({ url = '' }, answer) => {
    const size = Number(url.slice(1)) * mib
    answer.setHeader('content-length', size)
    unread.add(answer, size)
    answer.end(Buffer.alloc(size))
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return async (size: number) => {
    const request = get({ agent: false, host: '127.0.0.1', port, path: `/${size}` })
    request.on('error', () => {})
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    return answer
  }
}

/** Returns how many MiB of a response arrive. */
async function read(answer: IncomingMessage) {
  let bytes = 0
  try {
    for await (const piece of answer) bytes += piece.length
  } catch {
    // It broke off.
  }
  return bytes / mib
}

test('of unread responses, the oldest are dropped for new ones', async () => {
  const ask = await listening()
  const oldest = await ask(15)
  const older = await ask(15)
  const newest = await ask(15)
  expect(await read(newest)).toBe(15)
  expect(await read(oldest)).toBeLessThan(15)
  expect(await read(older)).toBe(15)
})

test('responses that were read, or whose client has gone, do not count', async () => {
  const ask = await listening()
  const kept = await ask(10)
  for (let i = 0; i < 5; i++) expect(await read(await ask(10))).toBe(10)
  for (let i = 0; i < 5; i++) {
    const answer = await ask(10)
    answer.destroy()
    await closed(answer)
  }
  expect(await read(kept)).toBe(10)
})

test('an answer that is larger than all may be together is sent all the same', async () => {
  const ask = await listening()
  expect(await read(await ask(50))).toBe(50)
})
