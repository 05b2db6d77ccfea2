import { setTimeout as sleep } from 'node:timers/promises'
import { RawConnection, RawStream, rawRequest } from './raw-client.ts'

export type CrowdPlan = {
  port: number
  /** How the clients wait: each with a poll that is under way all the time, or with a stream of events. */
  how: 'polls' | 'streams'
  /** One client per queue, each on a connection of its own. `authorization` is a header. */
  queues: { authorization: string; queueId: string }[]
  /** The messages sent while they wait, one after the other. */
  sends: string[]
}

/** One send: milliseconds from its beginning until its response, and until the first and the last queue had it. */
export type Round = { answered: number; first: number; last: number }

type QueueOfClient = CrowdPlan['queues'][number]
type Client = QueueOfClient & { lastEventId: number; connection: RawConnection }

/** Clients that wait for events. */
export class Crowd {
  private readonly connections: { close(): void }[] = []
  private readonly plan: CrowdPlan
  private sender: RawConnection
  private sent = 0
  private heard: ((at: number) => void) | undefined
  private failure: Error | undefined

  private constructor(plan: CrowdPlan, sender: RawConnection) {
    this.plan = plan
    this.sender = sender
  }

  static async gather(plan: CrowdPlan): Promise<Crowd> {
    const crowd = new Crowd(plan, await RawConnection.open(plan.port))
    const begin = (queue: QueueOfClient) => (plan.how === 'polls' ? crowd.poll(queue) : crowd.stream(queue))
    for (const queue of plan.queues) crowd.connections.push(await begin(queue))
    return crowd
  }

  async rounds(count: number): Promise<Round[]> {
    const rounds: Round[] = []
    while (rounds.length < count) {
      await this.settle()
      rounds.push(await this.round())
    }
    return rounds
  }

  leave() {
    this.failure = new Error('left')
    for (const connection of this.connections) connection.close()
    this.sender.close()
  }

  private async round(): Promise<Round> {
    const { sends } = this.plan
    const request = sends[this.sent++ % sends.length]!
    const start = performance.now()
    const arrivals = this.arrivals()
    const answered = await this.sender.ask(request).then(() => performance.now())
    const { first, last } = await arrivals
    return { answered: answered - start, first: first - start, last: last - start }
  }

  private arrivals(): Promise<{ first: number; last: number }> {
    return new Promise((resolve, reject) => {
      if (this.failure) reject(this.failure)
      let first = 0
      let missing = this.connections.length
      this.heard = (at) => {
        first ||= at
        missing--
        if (this.failure) reject(this.failure)
        if (missing === 0) resolve({ first, last: at })
      }
    })
  }

  private async poll(queue: QueueOfClient) {
    const connection = await RawConnection.open(this.plan.port)
    void this.pollOnAndOn({ ...queue, lastEventId: -1, connection })
    return connection
  }

  /** Polls again and again, as clients do; reports every message. */
  private async pollOnAndOn(client: Client) {
    try {
      for (;;) {
        const { status, body } = await client.connection.ask(pollOf(client))
        const at = performance.now()
        const text = body.toString('latin1')
        if (status !== 200) throw new Error(`a poll was answered ${status}: ${text.slice(0, 500)}`)
        client.lastEventId = lastEventIdIn(text)
        if (text.includes('"type":"message"')) this.heard?.(at)
      }
    } catch (error) {
      this.fail(error as Error)
    }
  }

  /** Reads a stream of events; reports every message. */
  private stream({ authorization, queueId }: QueueOfClient) {
    let rest = ''
    const take = (text: string) => {
      const at = performance.now()
      rest += text
      const end = rest.lastIndexOf('\n\n')
      if (end < 0) return
      const messages = rest.slice(0, end).split('"type":"message"').length - 1
      rest = rest.slice(end)
      for (let i = 0; i < messages; i++) this.heard?.(at)
    }
    const headers = { authorization, accept: 'text/event-stream' }
    const request = rawRequest('GET', eventsPath(queueId, -1), headers)
    return RawStream.open(this.plan.port, request, { take, fail: (error) => this.fail(error) })
  }

  private fail(error: Error) {
    this.failure ??= error
    this.heard?.(0)
  }

  /** Waits until the server has had time to read all the polls: it reads them in about the order they came. */
  private async settle() {
    // The server closes connections that are idle for long.
    if (!this.sender.isOpen) this.sender = await RawConnection.open(this.plan.port)
    const ping = rawRequest('GET', '/api/v1/server_settings')
    for (let i = 0; i < 3; i++) {
      await sleep(10)
      await this.sender.ask(ping)
    }
  }
}

function pollOf({ authorization, queueId, lastEventId }: Client) {
  return rawRequest('GET', eventsPath(queueId, lastEventId), { authorization })
}

/** Where a client gets the events of its queue after one of them; `-1`: all. */
export function eventsPath(queueId: string, lastEventId: number) {
  return `/api/v1/events?queue_id=${queueId}&last_event_id=${lastEventId}`
}

function lastEventIdIn(text: string) {
  const at = text.lastIndexOf('"id":')
  return Number.parseInt(text.slice(at + 5), 10)
}
