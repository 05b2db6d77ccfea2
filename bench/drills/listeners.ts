import { setTimeout as sleep } from 'node:timers/promises'
import type { Organization } from '../seed.ts'
import { faultsOf, type Heard } from './heard.ts'
import type { Sent } from './steady-sends.ts'

type Event = { id: number; type: string; message?: { id: number; content: string } }

/** Someone who listens to the messages of a drill, at one server, until all have come. */
export class Listener {
  readonly heard: Heard[] = []
  readonly name: string
  private readonly base: string
  private readonly headers: { authorization: string }
  private isOver = false
  private asking = new AbortController()
  private queue = ''
  private last = -1
  private listening: Promise<unknown> = Promise.resolve()

  private constructor(port: number, authorization: string, name: string) {
    this.base = `http://127.0.0.1:${port}/api/v1`
    this.headers = { authorization }
    this.name = `${name} at ${port}`
  }

  static async begin(port: number, organization: Organization, user: number, isStream: boolean) {
    const how = isStream ? 'stream' : 'poll'
    const listener = new Listener(port, organization.authorization(user), how)
    await listener.register()
    listener.listening = (isStream ? listener.stream() : listener.poll()).catch((error) => {
      if (!listener.isOver) throw error
    })
    listener.listening.catch(() => {})
    return listener
  }

  /** Waits until that many have come, or listening has failed. */
  async stop(count: number) {
    const end = performance.now() + 30_000
    while (this.heard.length < count && performance.now() < end) {
      await Promise.race([this.listening, sleep(20)])
    }
    this.isOver = true
    this.asking.abort()
    await this.listening
  }

  /** What it has not heard as it was sent: each once, and in order. */
  faults(sent: Sent[]): string[] {
    return faultsOf(this.name, this.heard, sent)
  }

  /** Milliseconds from the beginning of each send. */
  delays(sent: Sent[]): number[] {
    const begun = new Map(sent.map(({ id, acknowledged, latency }) => [id, acknowledged - latency]))
    return this.heard.map(({ id, at }) => at - begun.get(id)!)
  }

  private async register() {
    const body = new URLSearchParams({ event_types: '["message"]', apply_markdown: 'false' })
    const response = await fetch(`${this.base}/register`, { method: 'POST', headers: this.headers, body })
    const { queue_id, last_event_id } = (await good(response).json()) as {
      queue_id: string
      last_event_id: number
    }
    this.queue = queue_id
    this.last = last_event_id
  }

  private async poll() {
    while (!this.isOver) {
      const response = await this.ask(this.headers)
      this.take(((await good(response).json()) as { events: Event[] }).events)
    }
  }

  private async stream() {
    const response = await this.ask({ ...this.headers, accept: 'text/event-stream' })
    const decoder = new TextDecoder()
    let rest = ''
    for await (const piece of good(response).body!) {
      const parts = (rest + decoder.decode(piece, { stream: true })).split('\n\n')
      rest = parts.pop()!
      const texts = parts.flatMap((part) => /^data: (.*)$/m.exec(part)?.[1] ?? [])
      this.take(texts.map((text) => JSON.parse(text) as Event))
    }
    throw new Error(`${this.name}: the stream ended`)
  }

  private ask(headers: Record<string, string>): Promise<Response> {
    this.asking = new AbortController()
    const query = `queue_id=${this.queue}&last_event_id=${this.last}`
    return fetch(`${this.base}/events?${query}`, { headers, signal: this.asking.signal })
  }

  private take(events: Event[]) {
    const at = Date.now()
    for (const { id, message } of events) {
      this.last = id
      if (message) this.heard.push({ event: id, id: message.id, text: message.content, at })
    }
  }
}

function good(response: Response): Response {
  if (!response.ok) throw new Error(`answered ${response.status}`)
  return response
}
