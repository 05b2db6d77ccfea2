/** The results of one continuous measurement. Latencies in milliseconds, processor time in seconds. */
export type Slice = {
  count: number
  seconds: number
  latencies: number[]
  cpu?: CpuTime
}

export type CpuTime = { server: number; postgres: number }

/** One line of a report. Rates are per second, latencies in milliseconds, processor time in microseconds for each. */
export type Row = {
  what: string
  rate?: number
  p50?: number
  p90?: number
  p99?: number
  server?: number
  postgres?: number
}

/**
 * Measures several things in rotation, round after round, so that other load on the machine affects all of them alike.
 * Every second round goes backwards, and a first one is discarded.
 */
export async function alternate<Parts extends Record<string, () => Promise<unknown>>>(
  rounds: number,
  parts: Parts,
): Promise<{ [Name in keyof Parts]: Awaited<ReturnType<Parts[Name]>>[] }> {
  const names = Object.keys(parts)
  const found: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (const name of names) await parts[name]!()
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) found[name]!.push(await parts[name]!())
  }
  return found as { [Name in keyof Parts]: Awaited<ReturnType<Parts[Name]>>[] }
}

/** The median of the slices' rates; percentiles and costs of all slices together. */
export function rowOf(what: string, slices: Slice[]): Row {
  return {
    what,
    rate: median(slices.map(rateOf)),
    ...percentiles(slices.flatMap((slice) => slice.latencies)),
    ...costOf(slices),
  }
}

/** Microseconds of each. The slices count together, as the clock of processor time ticks a hundred times a second. */
export function costOf(slices: Pick<Slice, 'count' | 'cpu'>[]): Pick<Row, 'server' | 'postgres'> {
  const cpu = slices.flatMap((slice) => slice.cpu ?? [])
  if (cpu.length === 0) return {}
  const count = sumOf(slices.map((slice) => slice.count))
  return {
    server: (sumOf(cpu.map(({ server }) => server)) / count) * 1e6,
    postgres: (sumOf(cpu.map(({ postgres }) => postgres)) / count) * 1e6,
  }
}

function sumOf(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0)
}

export function rateOf(slice: Slice) {
  return slice.count / slice.seconds
}

/** How far values lie apart: half of their range, of their median. */
function spreadOf(values: number[]) {
  return (Math.max(...values) - Math.min(...values)) / 2 / median(values)
}

/** The median of the ratios of neighbors, which share the moment they were measured in. */
export function ratio(over: number[], under: number[]) {
  const ratios = over.map((value, i) => value / under[i]!)
  return { value: median(ratios), spread: spreadOf(ratios), unit: '×' }
}

/** Rates, or median latencies, as ratios to those of something bare in the same rounds. */
export function ratioOf(what: 'rate' | 'p50', real: Slice[], bare: Slice[]) {
  const value = (slice: Slice) => (what === 'rate' ? rateOf(slice) : median(slice.latencies))
  return ratio(real.map(value), bare.map(value))
}

export function median(values: number[]) {
  return percentile(values, 50)
}

export function percentiles(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  return { p50: at(sorted, 50), p90: at(sorted, 90), p99: at(sorted, 99) }
}

export function percentile(values: number[], percent: number) {
  return at(
    values.toSorted((a, b) => a - b),
    percent,
  )
}

/** Nearest rank; for the median of an even number the mean of the middle two. */
function at(sorted: number[], percent: number) {
  if (sorted.length === 0) return Number.NaN
  const middle = sorted.length / 2
  if (percent === 50 && Number.isInteger(middle)) return (sorted[middle - 1]! + sorted[middle]!) / 2
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)]!
}
