import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { expect } from 'vitest'
import { type Answer, send } from '../http.ts'
import { basic, type Person } from '../person.ts'

type Meeting = { access: string; default_password: boolean; settings: Record<string, boolean> }

/** Stands in for Zoom: every user grants access, and each code and each refresh token is accepted once. */
export class ZoomServer {
  readonly clientId = 'rookery at zoom'
  readonly clientSecret = 'kept between: us & them'
  readonly meetings: Meeting[] = []
  /** The requests to the token endpoint, by grant. */
  readonly grants: string[] = []
  /** While set, replaces responses; where it returns undefined, the normal response is sent. */
  instead: ((path: string) => { status: number; body: string } | undefined) | undefined
  /** How long an access token is valid, in seconds. */
  lifetime = 3600
  /** How long the token endpoint takes. */
  delayMs = 0
  url = ''
  private readonly codes = new Map<string, string>()
  private readonly accesses = new Set<string>()
  private readonly refreshes = new Set<string>()
  private readonly http = createServer((request, response) => void this.answer(request, response))

  async start(): Promise<this> {
    await new Promise<void>((resolve) => void this.http.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`
    return this
  }

  close() {
    this.http.closeAllConnections()
    this.http.close()
  }

  /** Lets the user withdraw access. */
  withdraw() {
    this.accesses.clear()
    this.refreshes.clear()
  }

  /** Lets access tokens expire; refresh tokens stay valid. */
  expire() {
    this.accesses.clear()
  }

  /** Grants what the address of `authorizeUrl` requests; returns the address that the browser is sent back to. */
  allow(address: string): URL {
    const { origin, pathname, searchParams } = new URL(address)
    const asked = Object.fromEntries(searchParams)
    if (origin !== this.url || pathname !== '/oauth/authorize')
      throw new Error(`this is not here: ${address}`)
    if (asked.client_id !== this.clientId || asked.response_type !== 'code') throw new Error('unknown app')
    const code = randomUUID()
    this.codes.set(code, asked.redirect_uri!)
    const back = new URL(asked.redirect_uri!)
    back.search = new URLSearchParams({ code, state: asked.state! }).toString()
    return back
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const sent = Buffer.concat(pieces).toString()
    const path = `${request.method} ${request.url}`
    const { authorization = '' } = request.headers
    const { status, body } = this.instead?.(path) ?? (await this.usual(path, authorization, sent))
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }

  private async usual(path: string, authorization: string, sent: string) {
    if (path === 'POST /oauth/token') return this.token(authorization, new URLSearchParams(sent))
    if (path === 'POST /v2/users/me/meetings') return this.meeting(authorization, sent)
    return json(404, { message: 'no such thing' })
  }

  private async token(authorization: string, form: URLSearchParams) {
    const { grant_type, code = '', redirect_uri, refresh_token = '' } = Object.fromEntries(form)
    const app = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64')
    if (authorization !== `Basic ${app}`) return json(401, { reason: 'Bad client', error: 'invalid_client' })
    this.grants.push(grant_type!)
    const isGood =
      grant_type === 'authorization_code'
        ? this.codes.get(code) === redirect_uri && this.codes.delete(code)
        : this.refreshes.delete(refresh_token)
    await new Promise((resolve) => setTimeout(resolve, this.delayMs))
    if (!isGood) return json(400, { reason: 'Invalid Token!', error: 'invalid_grant' })
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    this.accesses.add(access)
    this.refreshes.add(refresh)
    const tokens = { access_token: access, refresh_token: refresh, expires_in: this.lifetime }
    return json(200, { ...tokens, token_type: 'bearer', scope: 'meeting:write:meeting' })
  }

  private meeting(authorization: string, sent: string) {
    const access = authorization.replace(/^Bearer /, '')
    if (!this.accesses.has(access)) return json(401, { code: 124, message: 'Invalid access token.' })
    this.meetings.push({ access, ...JSON.parse(sent) })
    return json(201, { id: 1, join_url: `https://zoom.example/j/${this.meetings.length}?pwd=x` })
  }
}

function json(status: number, body: object) {
  return { status, body: JSON.stringify(body) }
}

/** Sends a request as the user's browser, with their key in place of a session. */
export function asBrowser(person: Person, path: string): Promise<Answer> {
  const headers = { authorization: basic(person.email, person.key), accept: 'text/html' }
  return send(person.place, { method: 'GET', path, headers })
}

/** Redirects a user to Zoom, and grants access there; returns our path to which the browser returns. */
export async function backFromZoom(server: ZoomServer, person: Person): Promise<string> {
  const { status, headers } = await asBrowser(person, '/calls/zoom/register')
  expect(status).toBe(302)
  const { pathname, search, host } = server.allow(headers.location!)
  expect(host).toBe(person.place.host)
  return pathname + search
}

/** Lets a user make calls at Zoom. */
export async function connect(server: ZoomServer, person: Person) {
  const { status, text } = await asBrowser(person, await backFromZoom(server, person))
  expect({ status, text }).toEqual({
    status: 200,
    text: expect.stringContaining('You can close this window'),
  })
}

/** Returns an address at which nothing listens. */
export async function deadUrl(): Promise<string> {
  const server = createNetServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
