import { RawConnection } from './raw-client.ts'

/** Requests that come by the clock, whether or not those before have their responses, as those of many users do. */
type FloodPlan = {
  port: number
  seconds: number
  perSecond: number
  /** How many requests may be under way. One that comes when as many are is lost, as in a client that cannot connect. */
  connections: number
  sends: string[]
  searches: string[]
  /** One request in this number is a search. */
  searchEvery: number
}

/** What became of requests of a kind: milliseconds until the response, by status. */
export type Outcomes = Record<number, number[]>

export type Flood = { offered: number; lost: number; seconds: number; sends: Outcomes; searches: Outcomes }

/** Milliseconds between two looks at the clock: a timer for each request would take more than the request. */
const tickMs = 2

const openedTogether = 50

const connections = new Map<number, RawConnection[]>()

export async function flood(plan: FloodPlan): Promise<Flood> {
  const { port, seconds, perSecond } = plan
  const idle = [...(await connectionsTo(port, plan.connections))]
  const found: Flood = { offered: 0, lost: 0, seconds, sends: {}, searches: {} }
  const underWay = new Set<Promise<void>>()
  const start = performance.now()
  for (let now = start; now < start + seconds * 1000; now = performance.now()) {
    const due = Math.floor(((now - start) / 1000) * perSecond)
    for (; found.offered < due; found.offered++) {
      const connection = idle.pop()
      if (!connection) {
        found.lost++
        continue
      }
      const asked = ask(connection, plan, found).then(() => {
        idle.push(connection)
        underWay.delete(asked)
      })
      underWay.add(asked)
    }
    await new Promise((resolve) => setTimeout(resolve, tickMs))
  }
  await Promise.all(underWay)
  return found
}

/** Those of one flood serve the next. They are opened a few at a time: a server accepts only so fast. */
async function connectionsTo(port: number, count: number): Promise<RawConnection[]> {
  const open = connections.get(port) ?? []
  connections.set(port, open)
  while (open.length < count) {
    const more = Math.min(openedTogether, count - open.length)
    open.push(...(await Promise.all(Array.from({ length: more }, () => RawConnection.open(port)))))
  }
  return open
}

async function ask(connection: RawConnection, plan: FloodPlan, { offered: n, sends, searches }: Flood) {
  const isSearch = n % plan.searchEvery === 0
  const [requests, outcomes] = isSearch ? [plan.searches, searches] : [plan.sends, sends]
  const start = performance.now()
  const { status } = await connection.ask(requests[n % requests.length]!)
  outcomes[status] ??= []
  outcomes[status].push(performance.now() - start)
}
