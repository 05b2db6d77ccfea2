import type { Slice } from './measure.ts'
import { RawConnection } from './raw-client.ts'

/** Users who report their presence one after the other, at an even pace, over and over. */
type ReportsPlan = {
  port: number
  seconds: number
  perSecond: number
  /** One of each person; may hold `lastNumber`. */
  reports: string[]
  /** The request for the newest number of all presence. */
  question: string
}

/** In a report's address: the newest number at the time of this person's report before (-1: there was none). */
export const lastNumber = 'LastNumberOfPresence'

/** How many were sent, and the newest number at each time. */
let sent = 0
const numbers: number[] = []
let newest = -1

const idleTo = new Map<number, RawConnection[]>()

/** Latencies are those of the reports. A late one is sent immediately, however many are under way. */
export async function sendReports({ port, seconds, perSecond, ...plan }: ReportsPlan): Promise<Slice> {
  const latencies: number[] = []
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  const fail = (error: unknown) => void failures.push(error)
  const start = performance.now()
  const asking = setInterval(() => void askNumber(port, plan.question).catch(fail), 1000)
  for (let i = 0; i < seconds * perSecond; i++) {
    const wait = start + (i / perSecond) * 1000 - performance.now()
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
    const report = send(port, nextReport(plan.reports), latencies)
      .catch(fail)
      .finally(() => underWay.delete(report))
    underWay.add(report)
  }
  clearInterval(asking)
  await Promise.all(underWay)
  if (failures.length > 0) throw failures[0]
  return { count: latencies.length, seconds: (performance.now() - start) / 1000, latencies }
}

function nextReport(reports: string[]): string {
  const before = numbers[sent - reports.length] ?? -1
  numbers[sent] = newest
  const report = reports[sent % reports.length]!
  sent += 1
  return report.replace(lastNumber, String(before))
}

async function send(port: number, request: string, latencies: number[]) {
  const connection = await connectionTo(port)
  const start = performance.now()
  const { status, body } = await connection.ask(request)
  if (status !== 200) throw new Error(`answered ${status}: ${body.subarray(0, 500)}`)
  latencies.push(performance.now() - start)
  idleOf(port).push(connection)
}

async function askNumber(port: number, question: string) {
  const connection = await connectionTo(port)
  const { body } = await connection.ask(question.replace(lastNumber, String(newest)))
  newest = JSON.parse(body.toString()).presence_last_update_id
  idleOf(port).push(connection)
}

async function connectionTo(port: number): Promise<RawConnection> {
  const idle = idleOf(port)
  while (idle.length > 0) {
    const connection = idle.pop()!
    if (connection.isOpen) return connection
  }
  return RawConnection.open(port)
}

function idleOf(port: number): RawConnection[] {
  const idle = idleTo.get(port) ?? []
  idleTo.set(port, idle)
  return idle
}
