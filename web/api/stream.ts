import { tabConnections } from './tab-connections.ts'

/** An event of the queue, with its number. */
export type WireEvent = { id: number; type: string; [field: string]: unknown }

type Handlers = {
  events(events: WireEvent[]): void
  /** All events have been delivered that were waiting when the stream was opened. */
  upToDate(): void
  /** Whether the stream is open; `false` while it is being opened again. */
  connected(isOpen: boolean): void
  /** The server no longer knows the queue: the client must register again. */
  expired(): void
  /** The session has ended. */
  signedOut(): void
}

/** The server no longer knows the queue. */
class QueueGone extends Error {}

/** If nothing arrives for this long, not even a heartbeat, the connection counts as dead. */
const silence = 75_000
/** How often a tab that keeps no connection looks what has come, in milliseconds. */
const lookEvery = 5000

/**
 * Follows an event queue over server-sent events until it is stopped. After a break, it goes on behind the last event
 * that it has delivered, so no event is lost or repeated.
 */
export class EventStream {
  private readonly queueId: string
  private readonly handlers: Handlers
  private lastEventId: number
  private attempts = 0
  private connection: AbortController | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private isStopped = false
  /** Whether this tab may keep a connection. Otherwise it takes what waits, and comes again after a while. */
  private mayStay = true
  private isUpToDate = false
  /** Whether it ends its connection because it may not keep it. */
  private hasLeft = false
  private readonly tabs = tabConnections((mayStay) => this.stay(mayStay))

  constructor(queueId: string, lastEventId: number, handlers: Handlers) {
    this.queueId = queueId
    this.lastEventId = lastEventId
    this.handlers = handlers
  }

  /** The last event that has arrived. */
  get position(): number {
    return this.lastEventId
  }

  start() {
    window.addEventListener('online', this.hurry)
    window.addEventListener('offline', this.drop)
    document.addEventListener('visibilitychange', this.hurry)
    void this.open()
  }

  stop() {
    this.isStopped = true
    this.tabs.stop()
    window.removeEventListener('online', this.hurry)
    window.removeEventListener('offline', this.drop)
    document.removeEventListener('visibilitychange', this.hurry)
    clearTimeout(this.timer)
    this.connection?.abort()
  }

  /** Opens a broken stream immediately instead of after its pause. */
  readonly hurry = () => {
    if (this.connection || this.isStopped || document.visibilityState === 'hidden') return
    this.attempts = 0
    clearTimeout(this.timer)
    void this.open()
  }

  /** An open connection does not notice that the network has gone. */
  private readonly drop = () => this.connection?.abort()

  private stay(mayStay: boolean) {
    const isNews = mayStay !== this.mayStay
    this.mayStay = mayStay
    if (mayStay && isNews) this.hurry()
    else if (!mayStay && this.isUpToDate) this.leave()
  }

  private leave() {
    this.hasLeft = true
    this.connection?.abort()
  }

  private async open() {
    const connection = new AbortController()
    this.connection = connection
    this.isUpToDate = false
    this.hasLeft = false
    this.tabs.look()
    try {
      await this.read(connection)
    } catch (error) {
      if (error instanceof QueueGone) {
        this.stop()
        this.handlers.expired()
        return
      }
    }
    connection.abort()
    this.connection = undefined
    if (this.isStopped) return
    if (this.hasLeft) {
      this.timer = setTimeout(() => void this.open(), lookEvery)
      return
    }
    this.handlers.connected(false)
    const pause = Math.min(30_000, 1000 * 2 ** this.attempts) * (0.5 + Math.random() / 2)
    this.attempts++
    this.timer = setTimeout(() => void this.open(), this.attempts === 1 ? 100 : pause)
  }

  private async read(connection: AbortController) {
    let watchdog = setTimeout(() => connection.abort(), silence)
    const response = await this.request(connection)
    const reader = response.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(watchdog)
        watchdog = setTimeout(() => connection.abort(), silence)
        const blocks = (rest + part.value).split('\n\n')
        rest = blocks.pop() ?? ''
        this.deliver(blocks)
      }
    } finally {
      clearTimeout(watchdog)
    }
  }

  private async request(connection: AbortController) {
    const query = new URLSearchParams({ queue_id: this.queueId, last_event_id: String(this.lastEventId) })
    const response = await fetch(`/json/events?${query}`, {
      headers: { accept: 'text/event-stream' },
      signal: connection.signal,
      credentials: 'same-origin',
      cache: 'no-store',
    })
    if (response.ok && response.body) {
      this.attempts = 0
      this.handlers.connected(true)
      return response.body
    }
    const body = await response.json().catch(() => ({}))
    if (response.status === 401) this.handlers.signedOut()
    throw body.code === 'BAD_EVENT_QUEUE_ID' ? new QueueGone() : new Error(body.msg)
  }

  private deliver(blocks: string[]) {
    const events: WireEvent[] = []
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data === undefined) continue
      const event: WireEvent = JSON.parse(data)
      if (event.id <= this.lastEventId) continue
      this.lastEventId = event.id
      if (event.type !== 'heartbeat') events.push(event)
    }
    if (events.length > 0) this.handlers.events(events)
    if (!blocks.includes(': up to date')) return
    this.handlers.upToDate()
    this.isUpToDate = true
    if (!this.mayStay) this.leave()
  }
}
