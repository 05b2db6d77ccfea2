import { readdirSync, readFileSync } from 'node:fs'
import type { Finding } from '../budgets.ts'
import type { Row } from '../measure.ts'
import { shown } from '../report.ts'
import { type CurveChart, drawnCurves } from './curve-chart.ts'

/**
 * The tables of docs/scaling.md and its charts, from bench/simulations. Each file there is of one run:
 * `npm run bench -- members --json bench/simulations/members.json`.
 */

type Outcome = { name: string; result?: { rows: Row[]; findings: Finding[] } }
type Result = NonNullable<Outcome['result']>

const folder = new URL('../simulations/', import.meta.url)

const outcomes: Outcome[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')).outcomes)

function resultOf(name: string): Result {
  const result = outcomes.find((outcome) => outcome.name === name)?.result
  if (!result) throw new Error(`bench/simulations has no figures of ${name}`)
  return result
}

/** A column for each number, where the scenario has one for each; otherwise a line for each figure. */
export function tableOfScaling(scenario: string): string {
  const result = resultOf(scenario)
  return counted.includes(scenario) ? matrix(result, scenario) : list(result)
}

/** Scenarios that measure the same for ever more of something. */
const counted = ['members', 'channels', 'messages', 'queues', 'organizations']

function matrix({ rows, findings }: Result, of: string): string {
  const cells = [
    ...rows.map((row) => ({ ...placeOf(row.what), text: costText(row) })),
    ...findings
      .filter(({ unit }) => unit !== '×')
      .map(({ what, value, unit }) => ({ ...placeOf(what), text: `${shown(value)} ${unit}` })),
  ].filter((cell) => cell.of === of)
  const counts = [...new Set(cells.map(({ count }) => count))].sort((a, b) => a - b)
  const names = [...new Set(cells.map(({ name }) => name))]
  const line = (texts: string[]) => `| ${texts.join(' | ')} |`
  const textAt = (name: string, count: number) =>
    cells.find((cell) => cell.name === name && cell.count === count)?.text ?? ''
  return [
    line([of, ...counts.map((count) => count.toLocaleString('en'))]),
    `|---|${'---:|'.repeat(counts.length)}`,
    ...names.map((name) => line([name, ...counts.map((count) => textAt(name, count))])),
  ].join('\n')
}

function list({ rows, findings }: Result): string {
  return [
    '| | Node | PostgreSQL |',
    '|---|---:|---:|',
    ...rows.map(({ what, server = 0, postgres = 0 }) => `| ${what} | ${time(server)} | ${time(postgres)} |`),
    '',
    '| | |',
    '|---|---:|',
    ...findings.map(({ what, value, unit }) => `| ${what} | ${shown(value)} ${unit} |`),
  ].join('\n')
}

/** What a figure is of: `name, 1,000 members`, or `1,000 members, name`. */
function placeOf(what: string): { name: string; count: number; of: string } {
  const [, first, ofFirst, rest] = /^([\d,]+) (\w+), (.+)$/.exec(what) ?? []
  if (first && ofFirst && rest) return { name: rest, count: numberIn(first), of: ofFirst }
  const [, name = what, last = '0', of = ''] = /^(.+), ([\d,]+) (\w+)$/.exec(what) ?? []
  return { name, count: numberIn(last), of }
}

function numberIn(text: string) {
  return Number(text.replaceAll(',', ''))
}

/** Of Node and of PostgreSQL, in one unit. */
function costText({ server = 0, postgres = 0 }: Row): string {
  const [divisor, unit] = unitOf(Math.max(server, postgres))
  return `${digits(server / divisor)} + ${digits(postgres / divisor)} ${unit}`
}

function time(microseconds: number): string {
  const [divisor, unit] = unitOf(microseconds)
  return `${digits(microseconds / divisor)} ${unit}`
}

function unitOf(microseconds: number): [divisor: number, unit: string] {
  return microseconds < 1_000_000 ? [1_000, 'ms'] : [1_000_000, 's']
}

/** The clock of processor time does not tell more. */
function digits(value: number): string {
  return value === 0 ? '0' : value.toFixed(value < 10 ? (value < 0.1 ? 2 : 1) : 0)
}

export function scalingCharts(): [path: string, svg: string][] {
  return counted.map((of) => [`docs/images/cost-of-${of}.svg`, drawnCurves(curvesOf(of))])
}

function curvesOf(of: string): CurveChart {
  const rows = resultOf(of).rows.map((row) => ({
    ...placeOf(row.what),
    // Less than a tick of the clock of processor time cannot be drawn.
    value: Math.max((row.server ?? 0) + (row.postgres ?? 0), 100),
  }))
  const own = rows.filter((row) => row.of === of)
  const counts = [...new Set(own.map(({ count }) => count))].sort((a, b) => a - b)
  const names = [...new Set(own.map(({ name }) => name))]
  const valueAt = (name: string, count: number) =>
    own.find((row) => row.name === name && row.count === count)?.value ?? Number.NaN
  return {
    title: `What it costs with more ${of}`,
    of,
    counts,
    series: names.map((name) => ({ name, values: counts.map((count) => valueAt(name, count)) })),
  }
}
