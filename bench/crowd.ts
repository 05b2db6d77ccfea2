import { setTimeout as sleep } from 'node:timers/promises'
import { RawConnection, rawRequest } from './raw-client.ts'

export type CrowdPlan = {
  port: number
  /** One client per queue, each on a connection of its own. `authorization` is a header. */
  queues: { authorization: string; queueId: string }[]
  /** The messages sent while they wait, one after the other. */
  sends: string[]
}

/** One send: milliseconds from its beginning until its response, and until the first and the last queue had it. */
export type Round = { answered: number; first: number; last: number }

type Client = { authorization: string; queueId: string; lastEventId: number; connection: RawConnection }

/** Clients that wait for events, each with a poll of its queue under way all the time. */
export class Crowd {
  private readonly clients: Client[] = []
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
    for (const queue of plan.queues) {
      const connection = await RawConnection.open(plan.port)
      const client = { ...queue, lastEventId: -1, connection }
      crowd.clients.push(client)
      void crowd.listen(client)
    }
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
    for (const { connection } of this.clients) connection.close()
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
      let missing = this.clients.length
      this.heard = (at) => {
        first ||= at
        missing--
        if (this.failure) reject(this.failure)
        if (missing === 0) resolve({ first, last: at })
      }
    })
  }

  /** Polls again and again, as clients do; reports every message. */
  private async listen(client: Client) {
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
      this.failure ??= error as Error
      this.heard?.(0)
    }
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
  return rawRequest('GET', `/api/v1/events?queue_id=${queueId}&last_event_id=${lastEventId}`, {
    authorization,
  })
}

function lastEventIdIn(text: string) {
  const at = text.lastIndexOf('"id":')
  return Number.parseInt(text.slice(at + 5), 10)
}
