import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hosted } from '../nodes.ts'
import { RawConnection, rawRequest } from '../raw-client.ts'
import type { Heard } from './heard.ts'

type Event = { id: number; type: string; message?: { id: number; content: string } }

/** Where a listener listens, and how. */
type Plan = { organization: Hosted; user: number; isStream: boolean; ports: number[]; stayMs: number }

/** How long a listener waits before it tries another node: as clients do, not all of them together. */
const retryMs = [200, 1_500] as const

/** A client that listens to messages at one node after the other: it moves regularly, and when its node does not answer. */
export class MovingListener {
  readonly heard: Heard[] = []
  /** Answers that no client should get. */
  readonly faults: string[] = []
  readonly user: number
  moves = 0
  private readonly plan: Plan
  private readonly headers: Record<string, string>
  private queue = ''
  private last = -1
  private at: number
  private isOver = false
  private end = () => {}
  private readonly listening: Promise<void>

  private constructor(plan: Plan, queue: { queue_id: string; last_event_id: number }) {
    this.plan = plan
    this.user = plan.user
    this.headers = headersOf(plan)
    this.queue = queue.queue_id
    this.last = queue.last_event_id
    this.at = plan.user % plan.ports.length
    this.listening = this.listen()
  }

  static async begin(plan: Plan): Promise<MovingListener> {
    const connection = await RawConnection.open(plan.ports[plan.user % plan.ports.length]!)
    const form = { event_types: '["message"]', apply_markdown: 'false' }
    const { status, body } = await connection.ask(
      rawRequest('POST', '/api/v1/register', headersOf(plan), form),
    )
    connection.close()
    if (status !== 200) throw new Error(`a registration was answered ${status}: ${body}`)
    return new MovingListener(plan, JSON.parse(body.toString()))
  }

  get name(): string {
    const { organization, user, isStream } = this.plan
    return `${isStream ? 'stream' : 'poll'} of user ${user} of ${organization.host}`
  }

  async stop() {
    this.isOver = true
    this.end()
    await this.listening
  }

  private async listen() {
    while (!this.isOver) {
      const port = this.plan.ports[this.at % this.plan.ports.length]!
      const isGood = await (this.plan.isStream ? this.stream(port) : this.poll(port)).catch(() => false)
      if (this.isOver) return
      this.at++
      this.moves++
      if (!isGood) await sleep(retryMs[0] + Math.random() * (retryMs[1] - retryMs[0]))
    }
  }

  /** Polls until it is time to move; false if the node does not answer as it should. */
  private async poll(port: number): Promise<boolean> {
    const connection = await RawConnection.open(port)
    const leaving = this.untilLeaving()
    try {
      for (;;) {
        const answer = await Promise.race([connection.ask(this.request({})), leaving])
        if (!answer) return true
        if (answer.status !== 200) return this.refused(answer.status, answer.body.toString())
        this.take((JSON.parse(answer.body.toString()) as { events: Event[] }).events)
      }
    } finally {
      connection.close()
    }
  }

  /** Reads a stream until it is time to move; false if it ends before: a node ends none by itself. */
  private async stream(port: number): Promise<boolean> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const ended = this.readStream(socket)
    // Without chunks, which HTTP/1.0 does not know, each line is whole.
    socket.write(this.request({ accept: 'text/event-stream' }).replace(' HTTP/1.1', ' HTTP/1.0'))
    const isTime = await Promise.race([ended, this.untilLeaving().then(() => true)])
    socket.destroy()
    return isTime
  }

  private readStream(socket: Socket): Promise<false> {
    let status = 0
    let unread = ''
    const take = (piece: string) => {
      unread += piece
      const head = status === 0 ? unread.indexOf('\r\n\r\n') : -1
      if (head >= 0) {
        status = Number(unread.slice(9, 12))
        unread = unread.slice(head + 4)
      }
      if (status !== 200) return
      const parts = unread.split('\n\n')
      unread = parts.pop()!
      const texts = parts.flatMap((part) => /^data: (.*)$/m.exec(part)?.[1] ?? [])
      this.take(texts.map((text) => JSON.parse(text) as Event))
    }
    socket.setEncoding('utf8').on('data', take)
    return new Promise((resolve) => {
      socket.on('error', () => resolve(false))
      socket.on('close', () => {
        if (status !== 0 && status !== 200) this.refused(status, unread)
        resolve(false)
      })
    })
  }

  private untilLeaving(): Promise<undefined> {
    const { stayMs } = this.plan
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), stayMs * (0.5 + Math.random()))
      this.end = () => {
        clearTimeout(timer)
        resolve(undefined)
      }
    })
  }

  /** Notes answers other than that the node is not ready; returns false. */
  private refused(status: number, text: string): boolean {
    if (status !== 503 && !this.isOver)
      this.faults.push(`${this.name}: answered ${status}: ${text.slice(-300)}`)
    return false
  }

  private request(more: Record<string, string>): string {
    const path = `/api/v1/events?queue_id=${this.queue}&last_event_id=${this.last}`
    return rawRequest('GET', path, { ...this.headers, ...more })
  }

  private take(events: Event[]) {
    const at = Date.now()
    for (const { id, message } of events) {
      this.last = id
      if (message) this.heard.push({ event: id, id: message.id, text: message.content, at })
    }
  }
}

function headersOf({ organization: { host, authorization }, user }: Plan): Record<string, string> {
  return { host, authorization: authorization(user) }
}
