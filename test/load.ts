import { setTimeout as sleep } from 'node:timers/promises'
import type { Wire } from './client.ts'
import type { Answer, Sent } from './http.ts'
import type { Options, Person } from './person.ts'

/** How long a client waits before it tries again, in milliseconds. */
const pause = 25

/** Repeats the same request until it succeeds. Only a broken connection and a 503 are reasons to try again. */
export async function insist(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask().catch(brokenOff)
    if (answer?.status === 200) return answer
    if (answer && !saysNotNow(answer)) throw new Error(`answered ${answer.status}: ${answer.text}`)
    await sleep(pause)
  }
}

/** Whether the response is the 503 that clients are promised. */
export function saysNotNow({ status, body }: Answer) {
  return status === 503 && body?.result === 'error' && body.code === 'SERVER_NOT_READY' && Boolean(body.msg)
}

/**
 * Sends until it is acknowledged; returns the message's id. The options or parameters must hold a key to repeat it by.
 */
export async function sendOnce(person: Person, params: Sent, options: Options): Promise<number> {
  return (await insist(() => person.post('/messages', params, options))).body.id
}

/** Repeats an operation until it is told to stop. */
export class Worker {
  /** How often it was done. */
  done = 0
  /** Why it could not continue. */
  failure: unknown
  private stopping = false
  private readonly running: Promise<void>

  constructor(work: (number: number) => Promise<void>) {
    this.running = this.run(work).catch((error) => {
      this.failure = error
    })
  }

  /** Lets it finish the current operation. */
  async stop() {
    this.stopping = true
    await this.running
  }

  private async run(work: (number: number) => Promise<void>) {
    while (!this.stopping) {
      await work(this.done + 1)
      this.done += 1
    }
  }
}

/** A client with an event queue, which continues after its last event when the connection breaks. */
export class Reader {
  readonly queueId: string
  readonly heard: Wire[] = []
  private readonly person: Person
  private lastEventId = -1

  private constructor(person: Person, queueId: string) {
    this.person = person
    this.queueId = queueId
  }

  static async create(person: Person): Promise<Reader> {
    const { body } = await insist(() => person.get('/events', { dont_block: true }))
    return new Reader(person, body.queue_id)
  }

  /** Waits for the next events. */
  async listen() {
    await this.poll(false)
  }

  /** Takes the events that exist. */
  async catchUp() {
    while (await this.poll(true));
  }

  private async poll(dontBlock: boolean): Promise<boolean> {
    const { body } = await insist(() =>
      this.person.get('/events', {
        queue_id: this.queueId,
        last_event_id: this.lastEventId,
        dont_block: dontBlock,
      }),
    )
    for (const event of body.events as Wire[]) {
      this.lastEventId = Math.max(this.lastEventId, event.id)
      if (event.type !== 'heartbeat') this.heard.push(event)
    }
    return body.events.length > 0
  }
}

function brokenOff({ code, message }: NodeJS.ErrnoException) {
  const expected = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE']
  if (!expected.includes(code ?? '')) throw new Error(`the connection failed with ${code}: ${message}`)
  return undefined
}
