import { once } from 'node:events'
import { ignore } from '../lib/guard.ts'

/** Lets the process continue when its output is no longer read: the first lines may have been enough. */
export function outliveReaders() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
}

/** While a program asks for JSON: the lines that a command has written so far. */
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
