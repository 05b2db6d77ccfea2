import { Bench, type Result, type RunOptions, seeded } from './bench.ts'
import { budgets, type Finding } from './budgets.ts'
import type { DatabaseServer } from './database.ts'
import { type Row, rowOf, type Slice } from './measure.ts'
import type { Operation, Subject } from './operations.ts'
import { cpuTimeOfTree, residentBytes } from './processes.ts'
import { type Organization, type Size, seed } from './seed.ts'

/** The same work in one organization after the other, each with ten times as much of something as the one before. */
export type Series = {
  /** What there is more of, in the plural. */
  of: string
  steps: Step[]
  measure(subject: Subject, step: Step): Promise<Measured[]>
}
export type Step = { count: number; size: Size }
type Measured = Pick<Operation, 'what' | 'reach'> & { slices: Slice[] }

/** Measures operations one after the other. */
export function each(wanted: Operation[]): Series['measure'] {
  return async (subject) => {
    const found: Measured[] = []
    for (const { what, reach, measure } of wanted) {
      found.push({ what, reach, slices: await measure(subject) })
    }
    return found
  }
}

export async function measureSeries(
  database: DatabaseServer,
  series: Series,
  options: RunOptions,
  say: (text: string) => void,
): Promise<Result> {
  const found: { step: Step; measured: Measured[]; facts: Finding[] }[] = []
  let place: { size: Size; organization: Organization; databaseUrl: string } | undefined
  for (const step of series.steps) {
    if (place?.size !== step.size) {
      const databaseUrl = await database.create(seeded)
      place = { size: step.size, organization: await seed(databaseUrl, step.size), databaseUrl }
    }
    const { organization, databaseUrl } = place
    const name = `${series.of}-${step.count}`
    const bench = await Bench.open(database, organization, { ...options, name, databaseUrl })
    try {
      const start = startOf(bench, nameOf(series, step))
      const measured = await series.measure({ bench, size: step.size }, step)
      found.push({ step, measured, facts: [...start, memoryOf(bench, nameOf(series, step))] })
    } finally {
      await bench.close()
    }
    say(`${nameOf(series, step)} were measured.`)
  }
  await database.drop(seeded)
  return {
    rows: rowsOf(series, found),
    findings: [...found.flatMap(({ facts }) => facts), ...growthOf(series, found)],
  }
}

function nameOf({ of }: Series, { count }: Step) {
  return `${count.toLocaleString('en')} ${of}`
}

function startOf(bench: Bench, name: string): Finding[] {
  const cpu = cpuTimeOfTree(bench.server.pid)
  return cpu ? [{ what: `${name}, start, of the processor`, value: cpu.server, unit: 's' }] : []
}

function memoryOf(bench: Bench, name: string): Finding {
  const value = residentBytes(bench.server.pid) / 1e6
  return { what: `${name}, memory after all this`, value, unit: 'MB' }
}

type Found = { step: Step; measured: Measured[] }[]

/** Those of one operation stand together. */
function rowsOf(series: Series, found: Found): Row[] {
  const names = found[0]?.measured.map(({ what }) => what) ?? []
  return names.flatMap((what, i) =>
    found.map(({ step, measured }) => rowOf(`${what}, ${nameOf(series, step)}`, measured[i]!.slices)),
  )
}

/** How many times the processor time of the second largest the largest one takes. */
function growthOf({ of }: Series, found: Found): Finding[] {
  const [before, last] = found.slice(-2)
  return (last?.measured ?? []).map(({ what, reach, slices }, i) => {
    const value = costOf(slices) / costOf(before!.measured[i]!.slices)
    const budget = reach === 'few' ? budgets.growthOfFew : budgets.growthOfAll
    return { what: `${what}, of a tenth of the ${of}`, value, unit: '×', budget }
  })
}

function costOf(slices: Slice[]): number {
  const { server = Number.NaN, postgres = Number.NaN } = rowOf('', slices)
  return server + postgres
}
