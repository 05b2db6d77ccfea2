import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { authority } from '../../test/programs/certificates.ts'
import { NatsServer, type NatsServerOptions } from '../../test/programs/nats-server.ts'
import { connectToNats, type NatsConnection } from './nats.ts'

const name = 'rookery.test'
const endings: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

describe('a connection with permission', () => {
  test.each<[string, NatsServerOptions, string]>([
    ['everybody', {}, ''],
    ['a name and a password', { user: { name: 'rook', password: 'p@ss:/w' } }, 'rook:p%40ss%3A%2Fw@'],
    ['a token', { token: 's3cret' }, 's3cret@'],
    ['TLS', { tls: true, token: 's3cret' }, 's3cret@'],
  ])('is heard under the name: %s', async (_, options, login) => {
    const url = (await startServer(options)).url.replace('//', `//${login}`)
    const first = await listen(url)
    const second = await listen(url)
    await second.say('7:42', 'größer')
    await first.hears('7:42', 'größer')
    await second.hears('7:42', 'größer')
    const elsewhere = await listen(url, 'rookery.other')
    await elsewhere.say('9:1')
    await first.say('7:43')
    await second.hears('7:43')
    expect(first.heard).not.toContain('9:1')
    expect(elsewhere.heard).not.toContain('7:43')
  })
})

describe('is told why not, without the password', () => {
  test.each<[string, NatsServerOptions, string, RegExp]>([
    [
      'a wrong password',
      { user: { name: 'rook', password: 'right' } },
      'rook:s3cret@',
      /Authorization Violation/,
    ],
    ['a wrong token', { token: 'right' }, 's3cret@', /Authorization Violation/],
    [
      'who may not speak',
      { user: { name: 'rook', password: 's3cret', mayNot: 'publish' } },
      'rook:s3cret@',
      /Permissions Violation for Publish/,
    ],
    [
      'who may not listen',
      { user: { name: 'rook', password: 's3cret', mayNot: 'subscribe' } },
      'rook:s3cret@',
      /Permissions Violation for Subscription/,
    ],
  ])('%s', async (_, options, login, reason) => {
    const { url, port } = await startServer(options)
    const error = await failure(url.replace('//', `//${login}`))
    expect(error.message).toMatch(reason)
    expect(error.message).toContain(`NATS at 127.0.0.1:${port}`)
    expect(`${error.stack}${JSON.stringify(error.cause)}`).not.toContain('s3cret')
  })
})

describe('TLS', () => {
  test('is insisted on by tls://', async () => {
    const { port } = await startServer({})
    expect((await failure(`tls://127.0.0.1:${port}`)).message).toContain('does not offer TLS')
    const secure = await startServer({ tls: true })
    const { say, hears } = await listen(`tls://localhost:${secure.port}`)
    await say('1:1')
    await hears('1:1')
  })

  test('is refused for a server without a trusted certificate', async () => {
    const { url } = await startServer({ tls: true })
    const error = await connectToNats(url, { name, hear: () => {} }).catch((reason) => reason)
    expect(error.message).toMatch(/certificate/)
  })

  test('is not entered after a server has said more than it may', async () => {
    const { url } = await startStranger((socket) => socket.write('INFO {"tls_required":true}\r\nPONG\r\n'))
    expect((await failure(url)).message).toContain('too much before TLS')
  })
})

describe('a server that does not speak NATS is given up on, and its connection ended', () => {
  test.each<[string, (socket: Socket) => void, RegExp]>([
    ['it speaks HTTP', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), /no NATS server/],
    ['it says nonsense', (socket) => socket.write('INFO {nonsense\r\n'), /no NATS server/],
    ['it goes on with nonsense', (socket) => socket.write('INFO {}\r\nWHAT\r\n'), /does not know/],
    ['it hangs up', (socket) => socket.end(), /hung up/],
    ['it never ends', (socket) => socket.write('x'.repeat(2_000_000)), /too long/],
  ])('%s', async (_, answer, reason) => {
    const stranger = await startStranger(answer)
    expect((await failure(stranger.url)).message).toMatch(reason)
    await expect.poll(() => stranger.open).toBe(0)
  })

  test('it says nothing, or only who it is: for three seconds', async () => {
    const silent = await startStranger(() => {})
    const short = await startStranger((socket) => socket.write('INFO {}\r\n'))
    const failures = await Promise.all([failure(silent.url), failure(short.url)])
    for (const { message } of failures) expect(message).toContain('no answer')
    await expect.poll(() => [silent.open, short.open]).toEqual([0, 0])
  })

  test('nothing listens there', async () => {
    expect((await failure('nats://127.0.0.1:1')).message).toContain('ECONNREFUSED')
  })
})

test('a message is read whole, in whatever pieces it comes', async () => {
  const { url } = await startStranger(async (socket) => {
    const text =
      'INFO {}\r\nPONG\r\nMSG rookery.test 1 5\r\n1\r\n:2\r\nMSG rookery.test 1 reply 3\r\nü2\r\nPING\r\n'
    for (const byte of Buffer.from(text)) {
      socket.write(Buffer.from([byte]))
      await sleep(1)
    }
  })
  const { hears } = await listen(url)
  await hears('1\r\n:2', 'ü2')
})

test('it ends with the server, and says so', async () => {
  const server = await startServer({})
  const { connection } = await listen(server.url)
  await server.kill()
  expect((await connection.ended).message).toContain('hung up')
  connection.publish('into the void')
  await connection.flush()
})

async function startServer(options: NatsServerOptions) {
  const server = await NatsServer.start(options)
  endings.push(() => server.kill())
  return server
}

/** A server that responds as the test says. */
async function startStranger(answer: (socket: Socket) => unknown) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    socket.resume()
    answer(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  endings.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `nats://127.0.0.1:${port}`,
    get open() {
      return sockets.size
    },
  }
}

async function listen(url: string, on = name) {
  const heard: string[] = []
  const connection: NatsConnection = await connectToNats(url, {
    name: on,
    hear: (text) => heard.push(text),
    ca: authority,
  })
  endings.push(() => connection.end())
  return {
    connection,
    heard,
    async say(...texts: string[]) {
      for (const text of texts) connection.publish(text)
      await connection.flush()
    },
    hears: (...texts: string[]) => expect.poll(() => heard).toEqual(expect.arrayContaining(texts)),
  }
}

async function failure(url: string): Promise<Error> {
  const outcome = connectToNats(url, { name, hear: () => {}, ca: authority })
  return outcome.then(
    (connection) => {
      connection.end()
      throw new Error('it connected')
    },
    (error) => error,
  )
}
