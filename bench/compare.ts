import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Result } from './bench.ts'
import { median } from './measure.ts'
import { shown, table } from './report.ts'
import { home } from './server.ts'

/** A version of the repository with its own benchmark, built. */
type Version = { name: string; folder: string }
type Figures = { outcomes: { name: string; result?: Result; error?: string }[] }
/** The figures of one version: of each round, by scenario, what was measured, and unit. */
type Measured = Map<string, number[]>
/** What a comparison has found: the table, and the figures that it is made of. */
type Comparison = {
  text: string
  revision: string
  before: Record<string, number[]>
  after: Record<string, number[]>
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
    const found = new Map(versions.map(({ name }) => [name, new Map() as Measured]))
    for (let round = 0; round < options.rounds; round++) {
      for (const version of round % 2 === 0 ? versions : versions.toReversed()) {
        collect(found.get(version.name)!, await measure(version, options))
      }
    }
    const [before, after] = [found.get(other.name)!, found.get('here')!]
    return {
      text: comparison(before, after),
      revision,
      before: Object.fromEntries(before),
      after: Object.fromEntries(after),
    }
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

function collect(measured: Measured, { outcomes }: Figures) {
  const take = (key: string, value: number | undefined) => {
    if (value !== undefined && !Number.isNaN(value)) measured.set(key, [...(measured.get(key) ?? []), value])
  }
  for (const { name, result } of outcomes) {
    for (const row of result?.rows ?? []) {
      for (const column of columns) take(`${name}: ${row.what}, ${headings[column]}`, row[column])
    }
    for (const { what, value, unit } of result?.findings ?? []) take(`${name}: ${what}, ${unit}`, value)
  }
}

const headings = { rate: '/s', p50: 'p50 ms', server: 'server µs', postgres: 'PostgreSQL µs' } as const
const columns = Object.keys(headings) as (keyof typeof headings)[]

/** For each figure: the median before, the median after, their ratio, and in brackets how far the rounds lie apart. */
function comparison(before: Measured, after: Measured): string {
  const lines = [...before].flatMap(([key, old]) => {
    const now = after.get(key)
    return now ? [[key, shownWithSpread(old), shownWithSpread(now), shown(median(now) / median(old))]] : []
  })
  return table([['', 'before', 'after', 'ratio'], ...lines])
}

function shownWithSpread(values: number[]): string {
  const range = Math.max(...values) - Math.min(...values)
  const spread = range === 0 ? 0 : range / median(values)
  return `${shown(median(values))} (±${Math.round((spread * 100) / 2)} %)`
}
