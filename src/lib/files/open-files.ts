import { readFileSync } from 'node:fs'

/**
 * Returns how many files and connections a process may have open: this one, or another of the same user. It is infinite where the
 * system does not say, as on macOS.
 */
export function openFilesAllowed(process: number | 'self' = 'self'): number {
  try {
    const found = /^Max open files +(\d+)/m.exec(readFileSync(`/proc/${process}/limits`, 'utf8'))
    return found ? Number(found[1]) : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
