import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../lib/errors.ts'

/**
 * When a process started, as a text that no later process of the same number has; undefined when there is no such
 * process. A zombie is none: nothing of it runs, and in a container without a reaper it stays for good.
 */
export function processStart(pid: number): string | undefined {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid)
}

/** Waits until `over()` is true. Returns whether it became so within the time (milliseconds). */
export async function waitUntil(
  over: () => boolean | Promise<boolean>,
  milliseconds: number,
): Promise<boolean> {
  const end = performance.now() + milliseconds
  while (!(await over())) {
    if (performance.now() > end) return false
    await sleep(20)
  }
  return true
}

/** Sends a signal, unless the process is gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

function startFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field, the name, may hold spaces and parentheses; `state` is the third and `starttime` the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`
  } catch {
    return undefined
  }
}

function startFromPs(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const [state, ...started] = (stdout ?? '').trim().split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : started.join(' ')
}
