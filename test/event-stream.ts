import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { apiPrefix } from '../src/http/server.ts'
import type { Wire } from './client.ts'
import { encode } from './http.ts'
import { basic, type Person } from './person.ts'

type Options = {
  lastEventId: number
  /** Whether the header names it, as browsers do; otherwise the parameter. */
  byHeader?: boolean
  /** After how many bytes the connection breaks; by default it does not. */
  cutAfter?: number
  /** Whether it reads nothing until it is resumed, except what comes with the head of the response. */
  startsPaused?: boolean
}

/** A connection that streams a person's events (server-sent events). */
export class EventStream {
  /** 0 until it is known. */
  status = 0
  text = ''
  /** Resolves when it has ended, in any way. */
  readonly ended: Promise<void>
  isOver = false
  private readonly request: ClientRequest
  private response: IncomingMessage | undefined

  constructor(person: Person, queueId: string, options: Options) {
    const { lastEventId, byHeader, cutAfter, startsPaused } = options
    const { port, host } = person.place
    const query = { queue_id: queueId, ...(!byHeader && { last_event_id: lastEventId }) }
    const headers = {
      host,
      authorization: basic(person.email, person.key),
      accept: 'text/event-stream',
      ...(byHeader && { 'last-event-id': String(lastEventId) }),
    }
    const path = `${apiPrefix}/events?${encode(query)}`
    this.request = get({ host: '127.0.0.1', port, path, headers, agent: false })
    this.ended = this.read(cutAfter ?? Number.POSITIVE_INFINITY, startsPaused).then(() => {
      this.isOver = true
    })
  }

  /** Returns the complete events: a client ignores an event that broke off. */
  get events(): Wire[] {
    const whole = this.text.slice(0, this.text.lastIndexOf('\n\n') + 1)
    return [...whole.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!))
  }

  /** Stops reading, once there is a response. */
  pause() {
    this.response?.pause()
  }

  resume() {
    this.response?.resume()
  }

  close() {
    this.request.destroy()
    return this.ended
  }

  private async read(cutAfter: number, startsPaused = false) {
    let bytes = 0
    const cut = new Promise<void>((resolve) => this.request.on('close', resolve).on('error', resolve))
    this.request.once('response', (response) => {
      this.response = response
      this.status = response.statusCode!
      response.on('error', () => {})
      response.on('data', (piece: Buffer) => {
        if (bytes < cutAfter) this.text += piece.subarray(0, cutAfter - bytes).toString('latin1')
        bytes += piece.length
        if (bytes >= cutAfter) this.request.destroy()
      })
      if (startsPaused) response.pause()
    })
    await cut
  }
}
