import type { Result } from './bench.ts'
import { boundOf, type Finding, holds, meetsAim } from './budgets.ts'
import type { Row } from './measure.ts'

/** One scenario's result as text: a table of what was measured, and the figures that have budgets. */
export function reportText(title: string, { rows, findings }: Result): string {
  const measured = table([
    ['', '/s', 'p50 ms', 'p90 ms', 'p99 ms', 'server µs', 'PostgreSQL µs'],
    ...rows.map((row) => [row.what, ...columns.map((column) => shown(row[column]))]),
  ])
  const judged = table([
    ...findings.map((finding) => [
      finding.what,
      `${shown(finding.value)} ${finding.unit}${spreadText(finding)}`,
      budgetText(finding),
    ]),
  ])
  return `${title}\n\n${measured}\n\n${judged}\n`
}

const columns = ['rate', 'p50', 'p90', 'p99', 'server', 'postgres'] as const satisfies (keyof Row)[]

function spreadText({ spread }: Finding) {
  return spread === undefined ? '' : ` (±${Math.round(spread * 100)} %)`
}

function budgetText(finding: Finding): string {
  const { budget } = finding
  if (!budget) return ''
  const word = 'atLeast' in budget ? 'at least' : 'at most'
  const [limit, aim] = [boundOf(budget, 'limit'), boundOf(budget, 'aim')]
  const parts = [limit !== undefined && `${word} ${shown(limit)}`, aim !== undefined && `aim ${shown(aim)}`]
  return `${verdict(finding)}  (${parts.filter(Boolean).join(', ')})`
}

function verdict(finding: Finding) {
  if (holds(finding) === false) return 'FAILS'
  return meetsAim(finding) === false ? 'misses its aim' : 'holds'
}

/** Three digits or more; two of a number below one. */
export function shown(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return ''
  const size = Math.abs(value)
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 || size === 0 ? 2 : 3
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Columns padded to the same width: the first to the left, numbers to the right, words to the left. */
export function table(rows: string[][]): string {
  const count = Math.max(0, ...rows.map((row) => row.length))
  const widths = Array.from({ length: count }, (_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)))
  const pad = (cell: string, i: number) =>
    i === 0 || /^(holds|FAILS|misses)/.test(cell) ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)
  return rows.map((row) => `  ${row.map(pad).join('  ')}`.trimEnd()).join('\n')
}
