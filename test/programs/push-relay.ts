import { randomInt } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import sodium from 'libsodium-wrappers'
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import { PushRelay } from '../../src/adapters/push-relay.ts'
import { safeFetch } from '../../src/adapters/safe-fetch.ts'
import { closed } from '../http.ts'
import type { Organization } from '../organization.ts'
import type { Person } from '../person.ts'
import { type TestServer, testServer } from '../test-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: it is whatever was sent
type Said = Record<string, any>

/**
 * How the relay handles a request: normally, by refusing the connection, by accepting without a response, or after a
 * wait.
 */
type Fault = 'none' | 'down' | 'silent' | { until: Promise<void> } | { status: number; body?: Said }

/** A push relay as docs/push.md describes it, which records its input. */
export class RelayServer {
  /** Runs the nodes' due work, so that tests do not wait for their next poll. */
  workOff: () => Promise<void> = async () => {}
  /** The adapter that a node uses to reach it. */
  readonly relay: PushRelay
  readonly keyId = 'key of 2026'
  readonly key = 'the key'
  readonly registrations: Said[] = []
  /** Accepted notifications, each once however often it came. */
  readonly taken: Said[] = []
  requests = 0
  /** The last body, as it came. */
  lastBody = ''
  /** How many requests wait for a response that is held back. */
  waiting = 0
  fault: Fault = 'none'
  /** Devices (by device_id or token) that it refuses, with the reasons. */
  readonly refused = new Map<string, string>()
  private keys: { publicKey: Uint8Array; privateKey: Uint8Array } | undefined
  private server: Server | undefined

  constructor({ showsClearText = false } = {}) {
    const fetch = safeFetch({ mayReach: () => true })
    this.relay = new PushRelay('http://relay/', this.key, showsClearText, (url, request) => {
      return fetch(String(url).replace('http://relay', this.url), request)
    })
  }

  async start() {
    await sodium.ready
    this.keys = sodium.crypto_box_keypair()
    this.server = createServer((request, response) => void this.answer(request, response))
    await new Promise<void>((resolve) => this.server!.listen(0, '127.0.0.1', resolve))
  }

  /** Its address, for a server that runs as a process of its own. */
  get url() {
    return `http://127.0.0.1:${(this.server!.address() as AddressInfo).port}`
  }

  stop() {
    this.server?.closeAllConnections()
    this.server?.close()
  }

  /** Encrypts content that only the relay can read. */
  sealed(content: object): string {
    return Buffer.from(sodium.crypto_box_seal(JSON.stringify(content), this.keys!.publicKey)).toString(
      'base64',
    )
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    this.requests += 1
    const { fault } = this
    this.lastBody = await text(request)
    const body: Said = JSON.parse(this.lastBody)
    if (fault === 'down') return void request.socket.destroy()
    if (typeof fault === 'object' && 'status' in fault) return reply(response, fault.status, fault.body ?? {})
    if (request.headers.authorization !== `Bearer ${this.key}`) return reply(response, 401, {})
    if (typeof fault === 'object') await this.wait(request, fault.until)
    const said = request.url === '/v1/registrations' ? this.register(body) : this.take(body)
    if (fault === 'silent') return void request.socket.destroy()
    reply(response, said.code ? 400 : 200, said)
  }

  /** Waits until the promise resolves, or the client has given up. */
  private async wait(request: IncomingMessage, until: Promise<void>) {
    this.waiting += 1
    await Promise.race([until, closed(request.socket)])
    this.waiting -= 1
  }

  private register(body: Said): Said {
    if (body.bouncer_public_key !== this.keyId) return { code: 'INVALID_BOUNCER_PUBLIC_KEY' }
    try {
      const sealed = Buffer.from(body.encrypted_push_registration, 'base64')
      const { publicKey, privateKey } = this.keys!
      const opened = sodium.crypto_box_seal_open(sealed, publicKey, privateKey, 'text')
      this.registrations.push({ ...body, opened: JSON.parse(opened) })
    } catch {
      return { code: 'BAD_REQUEST' }
    }
    return { device_id: `device ${body.push_account_id}` }
  }

  private take({ notifications }: Said): Said {
    const failed: Said[] = []
    for (const one of notifications) {
      const code = this.refused.get(one.device_id ?? one.token)
      if (code) failed.push({ id: one.id, code })
      else if (!this.taken.some(({ id }) => id === one.id)) this.taken.push(one)
    }
    return { failed }
  }
}

/** A phone with an app that encrypts. */
export class Phone {
  readonly accountId = randomInt(2 ** 47)
  private readonly relay: RelayServer
  private readonly keys = sodium.crypto_box_keypair()

  constructor(relay: RelayServer) {
    this.relay = relay
  }

  /** The app's registration. */
  registration() {
    const secret = { token: `token ${this.accountId}`, token_kind: 'fcm', timestamp: 1 }
    return {
      token_kind: 'fcm',
      push_account_id: this.accountId,
      push_public_key: Buffer.from(this.keys.publicKey).toString('base64'),
      bouncer_public_key: this.relay.keyId,
      encrypted_push_registration: this.relay.sealed(secret),
    }
  }

  /** The notifications that the relay has delivered, decrypted. */
  got(): Said[] {
    const { publicKey, privateKey } = this.keys
    return this.relay.taken
      .filter((one) => one.device_id === `device ${this.accountId}`)
      .map(({ encrypted_data }) => {
        const sealed = Buffer.from(encrypted_data, 'base64')
        return JSON.parse(sodium.crypto_box_seal_open(sealed, publicKey, privateKey, 'text'))
      })
  }

  /** The messages among them. */
  texts(): string[] {
    return this.got().flatMap(({ type, content }) => (type === 'message' ? [content] : []))
  }
}

/** Sets up a test server whose nodes use a relay, which works normally when a test begins. */
export function worldOfPhones(log?: (line: string) => void) {
  const server = new RelayServer()
  const all = testServer({ adapters: { push: server.relay }, ...(log && { log }) })
  server.workOff = all.workOff
  beforeAll(() => server.start())
  afterAll(() => server.stop())
  beforeEach(() => {
    server.fault = 'none'
    server.refused.clear()
  })
  /** Anna, who writes, and Ben and Carl, who have phones. */
  const cast = async () => {
    const org = await all.organization()
    const [anna, ben, carl] = [await org.person(), await org.person(), await org.person()]
    const [phone, carls] = [await phoneOf(ben, server), await phoneOf(carl, server)]
    const channel = await org.channel({ name: 'harbour', subscribers: [anna, ben, carl] })
    return { org, anna, ben, carl, phone, carls, channel }
  }
  return { all, server, cast }
}

/** Returns a user's phone, once the relay knows it. */
export async function phoneOf(person: Person, server: RelayServer): Promise<Phone> {
  const phone = new Phone(server)
  const client = await person.register({ event_types: ['push_device'] })
  await person.post('/mobile_push/register', phone.registration())
  await server.workOff()
  const isActive = async () => (await client.events()).some(({ status }) => status === 'active')
  await vi.waitFor(async () => expect(await isActive()).toBe(true), { timeout: 20_000, interval: 100 })
  return phone
}

/** Waits until the log has been searched, and all notifications have been sent; `pass` lets time go by. */
export async function pushed({ node, pass, workOff }: TestServer, org: Organization, seconds = 0) {
  const { read } = node.app.realms.connections
  await vi.waitFor(
    async () => {
      await workOff()
      const [row] = await read.rows<{ event_id: number }>(
        sql`SELECT event_id FROM push_position WHERE realm_id = ${org.id}`,
      )
      // Without devices the log is not searched.
      expect([org.state.position, undefined]).toContain(row?.event_id)
      pass(seconds)
      const left = sql`SELECT 1 FROM job WHERE realm_id = ${org.id} AND kind LIKE 'push%' AND parked_at IS NULL`
      expect(await read.rows(left)).toEqual([])
    },
    { timeout: 20_000, interval: 50 },
  )
}

function reply(response: ServerResponse, status: number, body: Said) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
