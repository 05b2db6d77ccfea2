import { encode, type Place, send } from './http.ts'

/** A browser: it keeps its cookie, and sends the origin of its requests. */
export class Browser {
  cookie: string | undefined
  readonly place: Place

  constructor(place: Place) {
    this.place = place
  }

  async ask(method: string, path: string, params: Record<string, unknown> = {}, headers = {}) {
    const answer = await send(this.place, {
      method,
      path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: `http://${this.place.host}`,
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        ...(this.cookie && { cookie: this.cookie }),
        ...headers,
      },
      body: method === 'GET' ? undefined : encode(params),
    })
    const [set] = answer.headers['set-cookie'] ?? []
    if (set) this.cookie = set.split(';')[0]!
    return answer
  }

  logIn(email: string, password: string) {
    return this.ask('POST', '/api/v1/rookery/session', { email, password })
  }

  async status() {
    return (await this.ask('GET', '/api/v1/users/me')).status
  }
}
