import pg from 'pg'
import { groupInsert } from './bare/group-insert.ts'
import { Crowd, type CrowdPlan, type Round } from './crowd.ts'
import { flood } from './flood.ts'
import type { Slice } from './measure.ts'
import { RawConnection, serial } from './raw-client.ts'
import { sendReports } from './reports.ts'
import { doJobs } from './worker.ts'

/** The process that generates the load. */
export type Load = typeof jobs

const jobs = {
  requests,
  once,
  together,
  inserts,
  sendReports,
  flood,

  /** Lets clients wait for events; returns the number of their crowd. */
  async gather(plan: CrowdPlan): Promise<number> {
    return crowds.push(await Crowd.gather(plan)) - 1
  },
  /** Sends while they wait. */
  async crowdRounds({ crowd, rounds }: { crowd: number; rounds: number }): Promise<Round[]> {
    return crowds[crowd]!.rounds(rounds)
  },
  async disperse({ crowd }: { crowd: number }): Promise<void> {
    crowds[crowd]!.leave()
  },
}

const crowds: Crowd[] = []

doJobs(jobs)

type RequestsPlan = {
  port: number
  seconds: number
  /** The requests of each connection, which makes one after the other, again and again. All must be answered 200. */
  scripts: string[][]
  /** It ends earlier with this many. */
  most?: number
}

const connections = new Map<number, RawConnection[]>()
let lastSerial = 0

async function requests({ port, seconds, scripts, most = Infinity }: RequestsPlan): Promise<Slice> {
  const open = connections.get(port) ?? []
  connections.set(port, open)
  // The server closes those that are idle for long.
  for (const i of scripts.keys()) if (!open[i]?.isOpen) open[i] = await RawConnection.open(port)
  const latencies: number[] = []
  const start = performance.now()
  const end = { until: start + seconds * 1000, left: most }
  await Promise.all(scripts.map((script, i) => follow(open[i]!, script, end, latencies)))
  return { count: latencies.length, seconds: (performance.now() - start) / 1000, latencies }
}

/** Makes each of the requests once: those of a script one after the other, on a connection of its own. */
async function once({ port, scripts }: { port: number; scripts: string[][] }): Promise<Slice> {
  const latencies: number[] = []
  const start = performance.now()
  const work = async (script: string[]) => {
    const connection = await RawConnection.open(port)
    for (const request of script) latencies.push(await answered(connection, request))
    connection.close()
  }
  await Promise.all(scripts.map(work))
  return { count: latencies.length, seconds: (performance.now() - start) / 1000, latencies }
}

/** Makes all requests at the same moment, each on a connection that was open before. */
async function together({ port, requests }: { port: number; requests: string[] }): Promise<Slice> {
  const open: RawConnection[] = []
  for (const _ of requests) open.push(await RawConnection.open(port))
  const start = performance.now()
  const latencies = await Promise.all(requests.map((request, i) => answered(open[i]!, request)))
  const seconds = (performance.now() - start) / 1000
  for (const connection of open) connection.close()
  return { count: latencies.length, seconds, latencies }
}

type End = { until: number; left: number }

async function follow(connection: RawConnection, script: string[], end: End, latencies: number[]) {
  for (let i = Math.floor(Math.random() * script.length); ; i++) {
    const start = performance.now()
    if (start >= end.until || end.left-- <= 0) return
    const request = script[i % script.length]!.replaceAll(serial, () =>
      String(++lastSerial).padStart(12, '0'),
    )
    latencies.push(await answered(connection, request))
  }
}

/** Milliseconds until the answer. */
async function answered(connection: RawConnection, request: string): Promise<number> {
  const start = performance.now()
  const { status, body } = await connection.ask(request)
  if (status !== 200) throw new Error(`answered ${status}: ${body.subarray(0, 500)}`)
  return performance.now() - start
}

/** The minimum cost of durable sends: nothing but their rows, in groups, one commit for each. */
async function inserts({
  url,
  seconds,
  group,
}: {
  url: string
  seconds: number
  group: number
}): Promise<Slice> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const insert = await groupInsert(client, 'bare_inserted')
  const latencies: number[] = []
  const start = performance.now()
  for (let at = start; at < start + seconds * 1000; at = performance.now()) {
    await insert(group)
    latencies.push(performance.now() - at)
  }
  const end = performance.now()
  await client.end()
  return { count: latencies.length * group, seconds: (end - start) / 1000, latencies }
}
