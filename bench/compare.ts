import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { median, type Row } from './measure.ts'
import { shown, table } from './report.ts'
import { home } from './server.ts'

/** A version of the repository with its own benchmark, built. */
type Version = { name: string; folder: string }
type Figures = { outcomes: { name: string; result?: { rows: Row[] }; error?: string }[] }
/** The rows of one version: of each round, by scenario and what was measured. */
type Rows = Map<string, Row[]>
/** What a comparison has found: the table, and the rows that it is made of. */
type Comparison = {
  text: string
  revision: string
  before: Record<string, Row[]>
  after: Record<string, Row[]>
}

/**
 * Measures another revision and what is checked out here by turns, each with its own benchmark on its own database, so that
 * the load and the speed of the machine affect both alike. The table has the medians over the rounds.
 *
 * @param place a directory for the other revision, which this function makes and removes
 */
export async function compare(
  revision: string,
  options: { names: string[]; seconds: number; rounds: number; place: string },
): Promise<Comparison> {
  const other = await checkOut(revision, options.place)
  try {
    const versions = [other, { name: 'here', folder: home }]
    const found = new Map(versions.map(({ name }) => [name, new Map() as Rows]))
    for (let round = 0; round < options.rounds; round++) {
      for (const version of round % 2 === 0 ? versions : versions.toReversed()) {
        collect(found.get(version.name)!, await measure(version, options))
      }
    }
    const [before, after] = [found.get(other.name)!, found.get('here')!]
    const rows = { before: Object.fromEntries(before), after: Object.fromEntries(after) }
    return { text: comparison(before, after), revision, ...rows }
  } finally {
    await rm(options.place, { recursive: true, force: true })
  }
}

/** Builds the revision in a directory of its own. It gets packages of its own if it needs others than those installed here. */
async function checkOut(revision: string, folder: string): Promise<Version> {
  await mkdir(folder, { recursive: true })
  const archive = execFileSync('git', ['archive', revision], { cwd: home, maxBuffer: 1024 ** 3 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const lock = 'package-lock.json'
  const [theirs, ours] = await Promise.all([folder, home].map((where) => readFile(join(where, lock), 'utf8')))
  if (theirs === ours) await symlink(join(home, 'node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['ci', '--no-fund', '--no-audit'], { cwd: folder, stdio: 'ignore' })
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: 'ignore' })
  return { name: revision, folder }
}

async function measure({ name, folder }: Version, { names, seconds, place }: Parameters<typeof compare>[1]) {
  process.stdout.write(`measuring ${name}\n`)
  const file = join(place, 'figures.json')
  const args = ['bench/main.ts', ...names, '--seconds', String(seconds), '--json', file]
  const child = spawn('node_modules/.bin/tsx', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (!existsSync(file)) throw new Error(`The benchmark of ${name} ended with ${code} and without figures.`)
  const figures: Figures = JSON.parse(await readFile(file, 'utf8'))
  await rm(file)
  checkComplete(figures)
  // It does not check budgets, so only a fault makes it end like this.
  if (code !== 0) throw new Error(`The benchmark of ${name} ended with ${code}.`)
  return figures
}

function checkComplete({ outcomes }: Figures) {
  for (const { name, result, error } of outcomes) {
    if (!result) throw new Error(`The scenario ${name} failed: ${error}`)
  }
}

function collect(rows: Rows, { outcomes }: Figures) {
  for (const { name, result } of outcomes) {
    for (const row of result?.rows ?? []) {
      const key = `${name}: ${row.what}`
      rows.set(key, [...(rows.get(key) ?? []), row])
    }
  }
}

const columns = { rate: '/s', p50: 'p50 ms', server: 'server µs', postgres: 'PostgreSQL µs' } as const

/** For each figure: the median before, the median after, their ratio, and in brackets how far the rounds lie apart. */
function comparison(before: Rows, after: Rows): string {
  const both = [...before.keys()].filter((key) => after.has(key))
  const lines = both.flatMap((key) =>
    (Object.keys(columns) as (keyof typeof columns)[]).flatMap((column) => {
      const [old, now] = [before, after].map((rows) => valuesOf(rows.get(key)!, column))
      if (old!.length === 0 || now!.length === 0) return []
      const ratio = median(now!) / median(old!)
      return [[`${key}, ${columns[column]}`, ...[old!, now!].map(shownWithSpread), shown(ratio)]]
    }),
  )
  return table([['', 'before', 'after', 'ratio'], ...lines])
}

function valuesOf(rows: Row[], column: keyof typeof columns): number[] {
  return rows.map((row) => row[column] ?? Number.NaN).filter((value) => !Number.isNaN(value))
}

function shownWithSpread(values: number[]): string {
  const spread = (Math.max(...values) - Math.min(...values)) / median(values)
  return `${shown(median(values))} (±${Math.round((spread * 100) / 2)} %)`
}
