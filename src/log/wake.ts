import pg from 'pg'
import { atMost } from '../lib/at-most.ts'

/** Tells other nodes that a log has grown, and hears of it from them. A lost call costs a delay, never an event. */
export type Wake = {
  announce(realmId: number, lastEventId: number): void
  listen(listener: (realmId: number, lastEventId: number) => void): void
  close(): Promise<void>
}

const channel = 'rookery'
const gatherMs = 5
const reconnectMs = 1_000
const longestFarewell = 2 // seconds

/**
 * Wakes by NOTIFY on a connection of its own, after the commit and gathered over a moment: inside each transaction it
 * would cost more than the writing itself.
 */
export function wakeByNotify(url: string): Wake {
  return new NotifyWake(url)
}

class NotifyWake implements Wake {
  private readonly url: string
  private readonly news = new Map<number, number>()
  private readonly listeners: ((realmId: number, lastEventId: number) => void)[] = []
  private readonly firstTry: Promise<void>
  private client: pg.Client | undefined
  private timer: NodeJS.Timeout | undefined
  private telling: Promise<unknown> = Promise.resolve()
  private closed = false

  constructor(url: string) {
    this.url = url
    this.firstTry = this.connect()
  }

  announce(realmId: number, lastEventId: number) {
    this.news.set(realmId, lastEventId)
    this.timer ??= setTimeout(() => this.tell(), gatherMs).unref()
  }

  listen(listener: (realmId: number, lastEventId: number) => void) {
    this.listeners.push(listener)
  }

  async close() {
    await atMost(longestFarewell, this.tellTheRest())
    this.closed = true
    if (this.client) await atMost(longestFarewell, this.client.end())
  }

  private async connect() {
    if (this.closed) return
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'rookery wake',
      keepAlive: true,
    })
    client.on('error', () => client.end().catch(() => {}))
    client.on('end', () => {
      this.client = undefined
      setTimeout(() => void this.connect(), reconnectMs).unref()
    })
    client.on('notification', ({ payload }) => this.hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
      if (this.closed) return void client.end()
      this.client = client
      this.tell()
    } catch {
      await client.end().catch(() => {})
    }
  }

  private hear(payload: string) {
    const [realmId, lastEventId] = payload.split(':').map(Number)
    if (realmId && lastEventId) for (const listener of this.listeners) listener(realmId, lastEventId)
  }

  private tell() {
    this.timer = undefined
    const { client } = this
    if (!client) return
    const payloads = [...this.news].map(([realmId, lastEventId]) => `${realmId}:${lastEventId}`)
    this.news.clear()
    if (payloads.length === 0) return
    const call = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload'
    this.telling = this.telling.then(() => client.query(call, [channel, payloads])).catch(() => {})
  }

  // Whoever commits and closes at once has an announcement to make, perhaps before it is even connected.
  private async tellTheRest() {
    await this.firstTry
    clearTimeout(this.timer)
    this.tell()
    await this.telling
  }
}
