import pg from 'pg'

/** Tells other nodes that a log has grown, and hears of it from them. A lost call costs a delay, never an event. */
export type Wake = {
  announce(realmId: number, lastEventId: number): void
  listen(listener: (realmId: number, lastEventId: number) => void): void
  close(): Promise<void>
}

const channel = 'rookery'
const gatherMs = 5
const reconnectMs = 1_000

/**
 * Wakes by NOTIFY on a connection of its own, after the commit and gathered over a moment: inside each transaction it
 * would cost more than the writing itself.
 */
export function wakeByNotify(url: string): Wake {
  const news = new Map<number, number>()
  const listeners: ((realmId: number, lastEventId: number) => void)[] = []
  let client: pg.Client | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function connect() {
    if (closed) return
    const fresh = new pg.Client({ connectionString: url, application_name: 'rookery wake', keepAlive: true })
    fresh.on('error', () => fresh.end().catch(() => {}))
    fresh.on('end', () => {
      client = undefined
      setTimeout(connect, reconnectMs).unref()
    })
    fresh.on('notification', ({ payload }) => {
      const [realmId, lastEventId] = (payload ?? '').split(':').map(Number)
      if (realmId && lastEventId) for (const listener of listeners) listener(realmId, lastEventId)
    })
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${channel}`)
      client = fresh
    } catch {
      await fresh.end().catch(() => {})
    }
  }

  function tell() {
    timer = undefined
    for (const [realmId, lastEventId] of news) {
      client?.query('SELECT pg_notify($1, $2)', [channel, `${realmId}:${lastEventId}`]).catch(() => {})
    }
    news.clear()
  }

  void connect()
  return {
    announce(realmId, lastEventId) {
      news.set(realmId, lastEventId)
      timer ??= setTimeout(tell, gatherMs).unref()
    },
    listen(listener) {
      listeners.push(listener)
    },
    async close() {
      closed = true
      clearTimeout(timer)
      tell()
      await client?.end().catch(() => {})
    },
  }
}
