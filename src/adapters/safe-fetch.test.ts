import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import {
  authority,
  expiredCertificate,
  serverKey,
  validCertificate,
} from '../../test/programs/certificates.ts'
import { isPublicAddress } from '../lib/network/public-address.ts'
import { FetchError, type FetchProblem, type SafeRequest, safeFetch } from './safe-fetch.ts'

const servers: { close(): void; closeAllConnections(): void }[] = []

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts a server on an address of this machine; returns its port. */
async function serve(listener: RequestListener, certificate?: string, host = '127.0.0.1'): Promise<number> {
  const server = certificate
    ? createTlsServer({ cert: certificate, key: serverKey }, listener)
    : createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}

/** Sends requests to this machine as if it were elsewhere, by one of its addresses. */
const ask = safeFetch({ mayReach: (address) => address === '127.0.0.1', trusted: authority })
const request: SafeRequest = { timeoutMs: 20_000, maxBytes: 1_000 }

async function problemOf(work: Promise<unknown>): Promise<FetchProblem> {
  const error = await work.then(
    () => expect.fail('it was answered'),
    (error) => error,
  )
  expect(error).toBeInstanceOf(FetchError)
  return error.problem
}

describe('what is asked', () => {
  test('answers with its status, headers and body', async () => {
    const port = await serve((incoming, outgoing) => {
      let body = ''
      incoming.on('data', (piece) => {
        body += piece
      })
      incoming.on('end', () => outgoing.writeHead(201, { 'x-method': incoming.method! }).end(`heard ${body}`))
    })
    const url = `http://127.0.0.1:${port}/a?b=c`
    const answer = await ask(url, { ...request, method: 'POST', body: 'hello' })
    expect([answer.status, answer.headers.get('x-method'), String(answer.body)]).toEqual([
      201,
      'POST',
      'heard hello',
    ])
  })

  test('is cut where the caller wants only its beginning, and needs no body of a redirect', async () => {
    const port = await serve((incoming, outgoing) => {
      if (incoming.url === '/') outgoing.writeHead(302, { location: '/there' })
      outgoing.end('x'.repeat(5_000_000))
    })
    const url = `http://127.0.0.1:${port}/`
    const { body } = await ask(url, { ...request, redirects: 1, cut: true })
    expect(String(body)).toBe('x'.repeat(request.maxBytes))
    expect(await problemOf(ask(url, { ...request, redirects: 1 }))).toBe('too large')
  })

  test('has its time and size', async () => {
    const slow = await serve(() => {})
    const dripping = await serve((_, outgoing) => {
      outgoing.writeHead(200)
      const timer = setInterval(() => outgoing.write('x'), 20)
      outgoing.on('close', () => clearInterval(timer))
    })
    const large = await serve((_, outgoing) => outgoing.end('x'.repeat(1_001)))
    const quick = { ...request, timeoutMs: 150 }
    expect(await problemOf(ask(`http://127.0.0.1:${slow}`, quick))).toBe('timeout')
    expect(await problemOf(ask(`http://127.0.0.1:${dripping}`, quick))).toBe('timeout')
    expect(await problemOf(ask(`http://127.0.0.1:${large}`, request))).toBe('too large')
  })

  test('may be gone, or called off', async () => {
    const slow = await serve(() => {})
    const cut = await serve((incoming) => incoming.socket.destroy())
    expect(await problemOf(ask('http://127.0.0.1:1', request))).toBe('unreachable')
    expect(await problemOf(ask(`http://127.0.0.1:${cut}`, request))).toBe('unreachable')
    const signal = AbortSignal.timeout(50)
    expect(await problemOf(ask(`http://127.0.0.1:${slow}`, { ...request, signal }))).toBe('aborted')
  })

  test('shows a certificate that holds', async () => {
    const hello: RequestListener = (_, outgoing) => outgoing.end('hello')
    const good = await serve(hello, validCertificate)
    const expired = await serve(hello, expiredCertificate)
    expect((await ask(`https://127.0.0.1:${good}`, request)).status).toBe(200)
    expect(await problemOf(ask(`https://127.0.0.1:${expired}`, request))).toBe('certificate')
    const strict = safeFetch({ mayReach: () => true })
    expect(await problemOf(strict(`https://127.0.0.1:${good}`, request))).toBe('certificate')
  })
})

describe('private addresses', () => {
  test('are not asked, under whatever name', async () => {
    const port = await serve((_, outgoing) => outgoing.end('secret'))
    const strict = safeFetch()
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '0x7f.1',
      '2130706433',
      '[::ffff:127.0.0.1]',
      '0',
    ]) {
      expect([host, await problemOf(strict(`http://${host}:${port}/`, request))]).toEqual([host, 'refused'])
    }
    for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'data:text/plain,x']) {
      expect(await problemOf(strict(url, request))).toBe('refused')
    }
  })

  test('are not reached by a redirect', async () => {
    const secret = await serve((_, outgoing) => outgoing.end('secret'), undefined, '127.0.0.2')
    const port = await serve((incoming, outgoing) => {
      const [, status, target] = incoming.url!.split('/')
      outgoing.writeHead(Number(status), {
        location: target === 'private' ? `http://127.0.0.2:${secret}/` : '/200',
      })
      outgoing.end(incoming.method)
    })
    const url = `http://127.0.0.1:${port}`
    const following = { ...request, method: 'POST', body: 'x', redirects: 3 } as const
    expect(await problemOf(ask(`${url}/307/private`, following))).toBe('refused')
    expect(String((await ask(`${url}/307/own`, following)).body)).toBe('POST')
    expect(String((await ask(`${url}/302/own`, following)).body)).toBe('GET')
    expect((await ask(`${url}/302/own`, { ...following, redirects: 0 })).status).toBe(302)
  })

  test('are told from public ones', () => {
    const hidden = ['10.1.2.3', '100.64.0.1', '169.254.169.254', '172.31.0.1', '192.168.1.1', '224.0.0.1']
    const hidden6 = ['::', '::1', 'fe80::1', 'fc00::1', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:7f00:1::']
    const odd = [
      '::ffff:808:808',
      '::8.8.8.8',
      '4000::1',
      '2001:db8::1',
      '2606:4700::1%br-0',
      '127.1',
      '0x8.8.8.8',
    ]
    for (const address of [...hidden, ...hidden6, ...odd, 'nonsense'])
      expect([address, isPublicAddress(address)]).toEqual([address, false])
    for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111']) {
      expect([address, isPublicAddress(address)]).toEqual([address, true])
    }
  })
})
