/** Returns the text with others in the place of its code; `source`: the code with its backticks. */
export function replaceCode(text: string, replacement: (code: string, source: string) => string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index }) => ({ start: index, length: run.length }))
  const closers = new Closers(runs)
  let result = ''
  let done = 0
  for (const run of runs) {
    const begin = run.start + (isEscaped(text, run.start) ? 1 : 0)
    if (begin < done) continue
    const span = closers.find(begin, run.start + run.length - begin, run.start + run.length)
    if (!span) continue
    const code = text.slice(begin + span.ticks, span.end)
    result += text.slice(done, begin) + replacement(code, text.slice(begin, span.end + span.ticks))
    done = span.end + span.ticks
  }
  return result + text.slice(done)
}

type Run = { start: number; length: number }

/** Finds the next run of exactly this many backticks; every run is examined only once for each length. */
class Closers {
  readonly #byLength = new Map<number, number[]>()
  readonly #passed = new Map<number, number>()

  constructor(runs: Run[]) {
    for (const { start, length } of runs) {
      const starts = this.#byLength.get(length)
      if (starts) starts.push(start)
      else this.#byLength.set(length, [start])
    }
  }

  find(begin: number, most: number, from: number): { ticks: number; end: number } | undefined {
    for (let ticks = most; ticks > 0; ticks--) {
      const starts = this.#byLength.get(ticks)
      if (!starts) continue
      let next = this.#passed.get(ticks) ?? 0
      while (next < starts.length && starts[next]! < from) next++
      this.#passed.set(ticks, next)
      if (next < starts.length && starts[next]! > begin + ticks) return { ticks, end: starts[next]! }
    }
    return undefined
  }
}

function isEscaped(text: string, position: number): boolean {
  let backslashes = 0
  while (text[position - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
