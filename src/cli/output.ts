import { ignore } from '../lib/guard.ts'

/** Lets the process continue when its output is no longer read: the first lines may have been enough. */
export function outliveReaders() {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore)
}

/** Writes lines to stdout, for results. */
export function say(text: string) {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

/** Writes a line to stderr, apart from the results. */
export function remark(text: string) {
  process.stderr.write(`${text}\n`)
}

/** Formats rows below their headings, in columns as wide as needed. */
export function textTable(heads: string[], rows: string[][]): string {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)))
  const pad = (text: string, column: number) => text + ' '.repeat((widths[column] ?? 0) - [...text].length)
  return `${all.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')}\n`
}

/** Formats a time, to the minute. `seconds` since 1970. */
export function time(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
