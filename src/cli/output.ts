import { once } from 'node:events'
import { codeOf } from '../lib/errors.ts'
import { guard, ignore } from '../lib/guard.ts'
import { exitCodes } from './exit-codes.ts'
import { systemReason } from './file-faults.ts'

/**
 * Lets the process continue when its output is no longer read: the first lines may have been enough. What a full disk does not take
 * is lost, though, and the exit code says so.
 */
export function ignoreClosedOutput() {
  process.stderr.on('error', ignore)
  const lost = guard(ignore, (error: unknown) => {
    if (codeOf(error) === 'EPIPE' || isLost) return
    isLost = true
    process.exitCode = exitCodes.failed
    remark(`The output could not be written: ${systemReason(error)}.`)
  })
  process.stdout.on('error', lost)
}

let isLost = false

/** Ends the program with this code, unless its output was lost. */
export function endWith(code: number) {
  process.exitCode = isLost && code === exitCodes.done ? exitCodes.failed : code
}

/** The lines that a command has written so far, if its output is part of a JSON object. */
let collected: string | undefined

/** Writes lines to stdout, for results. */
export function say(text: string) {
  const lines = text.endsWith('\n') ? text : `${text}\n`
  if (collected === undefined) process.stdout.write(lines)
  else collected += lines
}

/** Runs a command whose lines are to be part of a JSON object; returns them with its result. */
export async function collectOutput<T>(work: () => Promise<T>): Promise<{ result: T; said: string }> {
  collected = ''
  try {
    const result = await work()
    return { result, said: collected }
  } finally {
    collected = undefined
  }
}

/** Waits until the reader of stdout has taken what was written, so that a large result does not gather in memory. */
export async function drained() {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain').catch(ignore)
}

/** Writes a line to stderr, apart from the results. */
export function remark(text: string) {
  process.stderr.write(`${text}\n`)
}

/** Formats rows below their headings, in columns as wide as needed. */
export function textTable(heads: string[], rows: string[][]): string {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, [...(row[column] ?? '')].length), 0),
  )
  const pad = (text: string, column: number) => text + ' '.repeat((widths[column] ?? 0) - [...text].length)
  return `${all.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')}\n`
}

/** Formats a time, to the minute. `seconds` since 1970. */
export function time(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
