import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Row } from '../measure.ts'
import { shown } from '../report.ts'
import { type Chart, drawn } from './chart.ts'
import { scalingCharts, tableOfScaling } from './scaling-figures.ts'

/**
 * Writes the tables of docs/performance.md, and its charts, from figures.json. That is the file of a quiet run:
 * `npm run bench -- --json bench/figures.json`, and then `npm run figures`. And those of docs/scaling.md, from simulations.
 */

type Figures = { outcomes: { name: string; result?: { rows: Row[] } }[] }

const page = 'docs/performance.md'
const scaling = 'docs/scaling.md'
const home = fileURLToPath(new URL('../../', import.meta.url))
const figures: Figures = JSON.parse(readFileSync(`${home}bench/figures.json`, 'utf8'))

/** What the files with figures should hold, by path. */
export function filesWithFigures(): Map<string, string> {
  return new Map([
    [page, withTables(page, tableOf)],
    [scaling, withTables(scaling, tableOfScaling)],
    ...scalingCharts(),
    ...charts().map(([path, chart]) => [path, drawn(chart)] as const),
  ])
}

function withTables(path: string, table: (name: string) => string): string {
  return readFileSync(home + path, 'utf8').replaceAll(
    /(<!-- figures: ([\w/-]+) -->\n)[\s\S]*?(<!-- \/figures -->)/g,
    (_, start: string, name: string, end: string) => `${start}${table(name)}\n${end}`,
  )
}

const columns = {
  rate: '/s',
  p50: 'p50 ms',
  p90: 'p90 ms',
  p99: 'p99 ms',
  server: 'Node µs',
  postgres: 'PostgreSQL µs',
} as const

/** Only columns in which something is. Bare figures stand in italics. */
function tableOf(name: string): string {
  const rows = rowsOf(name)
  const used = (Object.keys(columns) as (keyof typeof columns)[]).filter((column) =>
    rows.some((row) => isNumber(row[column])),
  )
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['', ...used.map((column) => columns[column])]),
    `|---|${'---:|'.repeat(used.length)}`,
    ...rows.map((row) => line([nameOf(row), ...used.map((column) => cell(row[column]))])),
  ].join('\n')
}

function nameOf({ what }: Row) {
  return what.startsWith(' ') ? `*${what.trim()}*` : what
}

function cell(value: number | null | undefined) {
  return isNumber(value) ? shown(value) : ''
}

// JSON has null for a figure that could not be measured.
function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number'
}

function rowsOf(name: string): Row[] {
  const rows = figures.outcomes.find((outcome) => outcome.name === name)?.result?.rows
  if (!rows) throw new Error(`figures.json has no rows of ${name}`)
  return rows
}

function charts(): [path: string, Chart][] {
  const connections = ['1 connection', '16 connections', '64 connections']
  const queues = ['1 queue', '100 queues', '1,000 queues']
  const sends = (what: (name: string) => string) =>
    connections.map((name) => figureOf('send', what(name), 'rate'))
  const last = (what: (name: string) => string) =>
    queues.map((name) => figureOf('deliver', what(name), 'p50'))
  return [
    [
      'docs/images/sends.svg',
      {
        title: 'Sends a second',
        points: connections,
        series: [
          {
            name: 'bare node:http, inserts in groups',
            values: sends((name) => `  bare node:http, ${name}, inserts in groups`),
          },
          { name: 'Rookery', values: sends((name) => `${name}, 10 subscribers`) },
        ],
      },
    ],
    [
      'docs/images/delivery.svg',
      {
        title: 'Milliseconds until the last queue has a message (median)',
        points: queues,
        series: [
          { name: 'Rookery', values: last((name) => `${name}, last`) },
          { name: 'bare node:http', values: last((name) => `  bare node:http, ${name}, last`) },
        ],
      },
    ],
  ]
}

function figureOf(scenario: string, what: string, column: 'rate' | 'p50'): number {
  const value = rowsOf(scenario).find((row) => row.what === what)?.[column]
  if (!isNumber(value)) throw new Error(`figures.json has no ${column} of ${scenario}: ${what}`)
  return value
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const [path, text] of filesWithFigures()) writeFileSync(home + path, text)
}
