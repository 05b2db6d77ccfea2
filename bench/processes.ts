import { readdirSync, readFileSync } from 'node:fs'
import type { CpuTime } from './measure.ts'

/** Measures the processor time that the server and PostgreSQL take for some work. Undefined where there is no /proc. */
export async function withCpuTime<T extends object>(
  pids: { server: number; postgres: number | undefined },
  work: () => Promise<T>,
): Promise<T & { cpu?: CpuTime }> {
  const read = () => ({ server: cpuSeconds(pids.server), postgres: treeCpuSeconds(pids.postgres) })
  const before = read()
  const result: T = await work()
  const after = read()
  if (Number.isNaN(after.server)) return result
  const cpu = { server: after.server - before.server, postgres: after.postgres - before.postgres }
  return { ...result, cpu }
}

/**
 * The processor time of a process and all that it has started, PostgreSQL apart; programs that have ended count as the
 * server's. Undefined where there is no /proc.
 */
export function cpuTimeOfTree(pid: number): CpuTime | undefined {
  if (!statOf(pid)) return undefined
  const time = { server: 0, postgres: 0 }
  for (const child of [pid, ...descendantsOf(pid)]) {
    const seconds = cpuSeconds(child) + endedSeconds(child)
    if (!Number.isNaN(seconds)) time[/postgres/.test(nameOf(child)) ? 'postgres' : 'server'] += seconds
  }
  return time
}

/** The processor time of all that this process has started and that has ended. */
export function cpuOfEnded(): number {
  return endedSeconds(process.pid)
}

/** The process that started this one; undefined where there is no /proc. */
export function parentOf(pid: number): number | undefined {
  const stat = statOf(pid)
  return stat && Number(stat[1])
}

/** Its command line; nothing if there is no such process. */
export function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return all.map(Number).filter((other) => parentOf(other) === pid)
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

// The clock of /proc ticks a hundred times a second on every Linux of today.
const tick = 100

function cpuSeconds(pid: number): number {
  const stat = statOf(pid)
  return stat ? (Number(stat[11]) + Number(stat[12])) / tick : Number.NaN
}

function endedSeconds(pid: number): number {
  const stat = statOf(pid)
  return stat ? (Number(stat[13]) + Number(stat[14])) / tick : Number.NaN
}

/** The memory that a process holds; not a number where there is no /proc. */
export function residentBytes(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return Number.NaN
  }
}

/** With what has ended meanwhile. */
function treeCpuSeconds(pid: number | undefined): number {
  if (pid === undefined) return Number.NaN
  const children = childrenOf(pid).map(cpuSeconds)
  return children
    .filter((seconds) => !Number.isNaN(seconds))
    .reduce((sum, seconds) => sum + seconds, cpuSeconds(pid) + endedSeconds(pid))
}

/** The fields after the name, which may hold anything. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}
