import { apiPrefix } from '../src/http/server.ts'
import { Client } from './client.ts'
import { type Answer, encode, type Place, type RawRequest, type Sent, send } from './http.ts'

export type Options = { headers?: Record<string, string> }

/** A caller of the API, logged in or not. Paths are those of the API, without /api/v1. */
export class Caller {
  readonly place: Place
  private readonly headers: Record<string, string>

  constructor(place: Place, headers: Record<string, string> = {}) {
    this.place = place
    this.headers = headers
  }

  get(path: string, params?: Sent, options?: Options) {
    return this.ask('GET', path, params, options)
  }

  post(path: string, params?: Sent, options?: Options) {
    return this.ask('POST', path, params, options)
  }

  patch(path: string, params?: Sent) {
    return this.ask('PATCH', path, params)
  }

  put(path: string, params?: Sent) {
    return this.ask('PUT', path, params)
  }

  delete(path: string, params?: Sent) {
    return this.ask('DELETE', path, params)
  }

  /** Sends a request written out in full, except for the login. */
  raw(request: RawRequest): Promise<Answer> {
    return send(this.place, { ...request, headers: { ...this.headers, ...request.headers } })
  }

  ask(method: string, path: string, params: Sent = {}, options: Options = {}): Promise<Answer> {
    const coded = encode(params)
    const headers = { ...this.headers, ...options.headers }
    const url = apiPrefix + path
    if (method === 'GET') {
      return send(this.place, { method, path: coded ? `${url}?${coded}` : url, headers })
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers }
    return send(this.place, { method, path: url, headers: form, body: coded })
  }
}

/** A user of one organization. */
export class Person extends Caller {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly key: string

  constructor(place: Place, account: { id: number; name: string; email: string; key: string }) {
    super(place, { authorization: basic(account.email, account.key) })
    this.id = account.id
    this.name = account.name
    this.email = account.email
    this.key = account.key
  }

  /**
   * Registers a client of this person, with the current state and an event queue. It has all capabilities, unless
   * `client_capabilities` says otherwise.
   */
  register(params: Sent = {}): Promise<Client> {
    return Client.register(this, params)
  }

  /** Returns the same person, talking to another node. */
  at(place: Place): Person {
    return new Person({ ...place, host: this.place.host }, this)
  }
}

/** Returns the user with this key. */
export async function personWith(place: Place, email: string, key: string): Promise<Person> {
  const { body } = await new Caller(place, { authorization: basic(email, key) }).get('/users/me')
  return new Person(place, { id: body.user_id, name: body.full_name, email, key })
}

export function basic(email: string, key: string) {
  return `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
}
