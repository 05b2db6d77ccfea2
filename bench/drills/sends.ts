import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { withTimeout } from '../../src/lib/async/with-timeout.ts'
import type { Hosted } from '../nodes.ts'
import { RawConnection, type RawResponse, rawRequest } from '../raw-client.ts'
import type { Sent } from './steady-sends.ts'

/** The messages that were sent into one organization: to its small channel, or to the large one, which all users receive. */
type SentTo = Sent & { isToAll: boolean }

/** One message in this number goes to all. */
const toAllEvery = 5
/** Seconds after which a sender asks another node. */
const patienceSeconds = 20
const retryMs = 300

/** Sends messages at a steady rate while nodes go away, to another node whenever one does not answer. */
export class DrillSender {
  readonly sent: SentTo[] = []
  /** Texts of messages that may have been sent or not. */
  readonly unsure = new Set<string>()
  /** Answers that no sender should get. */
  readonly faults: string[] = []
  private readonly organization: Hosted
  private readonly ports: number[]
  private readonly number: number
  private at: number
  private connection: RawConnection | undefined
  private isOver = false
  private readonly working: Promise<void>

  /** Senders with an even number repeat a message under its Idempotency-Key until it is acknowledged. */
  constructor(organization: Hosted, ports: number[], number: number, pauseMs: number) {
    this.organization = organization
    this.ports = ports
    this.number = number
    this.at = number
    this.working = this.work(pauseMs)
  }

  async stop() {
    this.isOver = true
    await this.working
    this.connection?.close()
  }

  private async work(pauseMs: number) {
    for (let i = 0; !this.isOver; i++) {
      const due = performance.now() + pauseMs
      await this.send(`drill ${this.number}/${i}`, i % toAllEvery === 0)
      await sleep(Math.max(0, due - performance.now()))
    }
  }

  private async send(text: string, isToAll: boolean) {
    const { host, authorization, small, large } = this.organization
    const canRepeat = this.number % 2 === 0
    const headers = { host, authorization: authorization(this.number % 9), 'idempotency-key': randomUUID() }
    const form = { type: 'stream', to: String(isToAll ? large : small), topic: 'drill', content: text }
    const request = rawRequest('POST', '/api/v1/messages', headers, form)
    const begun = performance.now()
    do {
      const answer = await this.ask(request)
      if (answer?.status === 200) {
        const { id } = JSON.parse(answer.body.toString()) as { id: number }
        const latency = performance.now() - begun
        this.unsure.delete(text)
        this.sent.push({ id, text, acknowledged: Date.now(), latency, isToAll })
        return
      }
      this.unsure.add(text)
      if (answer && answer.status !== 503)
        this.faults.push(`a send was answered ${answer.status}: ${answer.body}`)
      await sleep(retryMs)
    } while (canRepeat && !this.isOver)
  }

  /** Undefined if the node does not answer. */
  private async ask(request: string): Promise<RawResponse | undefined> {
    try {
      this.connection ??= await RawConnection.open(this.ports[this.at % this.ports.length]!)
      const { connection } = this
      let answer: RawResponse | undefined
      const asked = connection.ask(request).then((response) => {
        answer = response
      })
      await withTimeout(patienceSeconds, asked)
      if (answer?.status === 200) return answer
      this.turn()
      return answer
    } catch {
      this.turn()
      return undefined
    }
  }

  /** Goes on at the next node. */
  private turn() {
    this.connection?.close()
    this.connection = undefined
    this.at++
  }
}
