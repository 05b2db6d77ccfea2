import type { Bench, Result, Scenario } from '../bench.ts'
import { budgets } from '../budgets.ts'
import type { Flood, Outcomes } from '../flood.ts'
import {
  alternate,
  type CpuTime,
  percentile,
  percentiles,
  type Row,
  rateOf,
  ratio,
  rowOf,
  type Slice,
} from '../measure.ts'
import { residentBytes } from '../processes.ts'
import { rawRequest } from '../raw-client.ts'
import { size } from '../seed.ts'
import { texts } from '../texts.ts'

/** As many times the load that the server can take. */
const excess = 5

/** One request of this number is a search. */
const searchEvery = 50

/** Long enough that clients have been refused more than once: from then on, the server reads less of them. */
const floodSeconds = 6

/** A send that is answered later does not count: its sender has given up. */
const usefulMs = 1_000

/** Senders, each with requests of their own; searches come from others. */
const people = 500

type Overload = Flood & { cpu?: CpuTime }

/**
 * Measures how many sends succeed within a second when five times as many arrive as the server can take. The load
 * generator shares the two processors, and needs several times as much of them as at the peak. So there is also the number
 * of sends for each second of processor time that the server's process got, which does not depend on others.
 */
export const overload: Scenario = {
  name: 'overload',
  title: `POST /messages at ${excess} times the load, one request in ${searchEvery} a search, by ${people} users`,

  async run(bench) {
    const sends = sendsOf(bench)
    const inTurn = Array.from({ length: 64 }, (_, i) => sends.filter((_, n) => n % 64 === i))
    const closed = (seconds: number) =>
      bench.withCpuTime(() =>
        bench.load.do('requests', { port: bench.server.port, seconds, scripts: inTurn }),
      )
    const warm = await closed(bench.warmUp)
    // The first flood opens the connections.
    await floodWith(bench, sends, rateOf(warm) * excess)
    const before = residentBytes(bench.server.pid)
    let perSecond = 0
    const found = await alternate(Math.ceil(bench.rounds / 3), {
      peak: async () => {
        const slice = await closed(2 * bench.slice)
        perSecond = rateOf(slice) * excess
        return slice
      },
      flood: () => floodWith(bench, sends, perSecond),
    })
    return resultOf(found, before, residentBytes(bench.server.pid))
  },
}

function floodWith(bench: Bench, sends: string[], perSecond: number): Promise<Overload> {
  const plan = { port: bench.server.port, seconds: floodSeconds, perSecond, connections: 2_000, searchEvery }
  return bench.withCpuTime(() => bench.load.do('flood', { ...plan, sends, searches: searchesOf(bench) }))
}

type Found = { peak: Slice[]; flood: Overload[] }

function resultOf({ peak, flood }: Found, bytesBefore: number, bytesAfter: number): Result {
  const seconds = flood.reduce((sum, one) => sum + one.seconds, 0)
  const sends = merged(flood.map((one) => one.sends))
  const searches = merged(flood.map((one) => one.searches))
  const refused = Object.entries(sends).flatMap(([status, times]) => (status === '200' ? [] : times))
  const ofPeak = (rate: (one: Overload) => number) => ratio(flood.map(rate), peak.map(rateOf)).value
  return {
    rows: [
      rowOf('peak, 64 connections', peak),
      ...rowsOf('send', sends, seconds),
      ...rowsOf('search', searches, seconds),
    ],
    findings: [
      { what: 'offered, of the peak', value: ofPeak((one) => one.offered / one.seconds), unit: '×' },
      {
        what: 'requests for which no connection was free',
        value: flood.reduce((sum, one) => sum + one.lost, 0),
        unit: '',
      },
      {
        what: 'sends within a second, of the peak',
        value: ofPeak((one) => accepted(one).filter((ms) => ms <= usefulMs).length / one.seconds),
        unit: '×',
        budget: budgets.overloadGoodput,
      },
      {
        what: 'sends for each second of processor time of the server, of the peak',
        value: ratio(flood.map(sendsPerCpuSecond), peak.map(perCpuSecond)).value,
        unit: '×',
        budget: budgets.overloadSends,
      },
      {
        what: 'p99 of accepted sends',
        value: percentile(flood.flatMap(accepted), 99),
        unit: 'ms',
        budget: budgets.overloadAccepted,
      },
      {
        what: 'p99 of refusals',
        value: percentile(refused, 99),
        unit: 'ms',
        budget: budgets.overloadRefused,
      },
      { what: 'memory before', value: bytesBefore / 1e6, unit: 'MB' },
      {
        what: 'memory after, of before',
        value: bytesAfter / bytesBefore,
        unit: '×',
        budget: budgets.overloadMemory,
      },
    ],
  }
}

function accepted({ sends }: Flood): number[] {
  return sends[200] ?? []
}

function merged(all: Outcomes[]): Outcomes {
  const together: Outcomes = {}
  for (const outcomes of all) {
    for (const [status, times] of Object.entries(outcomes)) {
      together[Number(status)] = [...(together[Number(status)] ?? []), ...times]
    }
  }
  return together
}

/** One line for each status. */
function rowsOf(kind: string, outcomes: Outcomes, seconds: number): Row[] {
  return Object.entries(outcomes).map(([status, times]) => ({
    what: `  ${kind}, answered ${status}`,
    rate: times.length / seconds,
    ...percentiles(times),
  }))
}

function sendsPerCpuSecond(flood: Overload): number {
  return perCpuSecond({ count: accepted(flood).length, ...flood })
}

function perCpuSecond({ count, cpu }: { count: number; cpu?: CpuTime }): number {
  return count / (cpu?.server ?? Number.NaN)
}

function sendsOf({ organization }: Bench): string[] {
  return Array.from({ length: people }, (_, i) =>
    rawRequest(
      'POST',
      '/api/v1/messages',
      { authorization: organization.authorization(i) },
      {
        type: 'channel',
        to: String(organization.large),
        topic: `topic ${i % 40}`,
        content: texts[i % texts.length]!,
      },
    ),
  )
}

function searchesOf({ organization }: Bench): string[] {
  return Array.from({ length: 200 }, (_, i) => {
    const [word] = texts[i % texts.length]!.match(/[a-z]{5,}/) ?? ['memory']
    const narrow = JSON.stringify([{ operator: 'search', operand: word }])
    const wanted = new URLSearchParams({ anchor: 'newest', num_before: '50', num_after: '0', narrow })
    const authorization = organization.authorization(size.users - 1_000 + i)
    return rawRequest('GET', `/api/v1/messages?${wanted}`, { authorization, 'accept-encoding': 'gzip' })
  })
}
