import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Which tests a command runs follows from what they use, so that no list of files has to be kept.

/** The needs of a test file besides its own process: the server in it, on a database; a browser; other programs. */
type Need = 'server' | 'browser' | 'program'

const startsProgram = /(?<![.\w])(spawn|fork|startEmbedded\w*)\(|promisify\(exec/
// Only at the beginning of a line: an import may also stand in a text.
const used = /^(?:import|export|\})[^'\n]* from '((?:\.\.?\/)+(?:[\w-]+\/)*[\w-]+\.ts)'/gm
const known = new Map<string, ReadonlySet<Need>>()

/** Every test file below src and test. */
export function testFiles(): string[] {
  return ['src', 'test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((path) => path.endsWith('.test.ts'))
}

/** Returns what a test file, or a helper below test, needs, by itself and through the helpers that it uses. */
export function needsOf(path: string): ReadonlySet<Need> {
  const before = known.get(path)
  if (before) return before
  const needs = new Set<Need>()
  known.set(path, needs)
  const text = readFileSync(path, 'utf8')
  // All files have its PostgreSQL.
  if (path === join('test', 'runner', 'database.ts')) needs.add('server')
  else if (path === join('test', 'browser', 'browser-engine.ts')) needs.add('browser')
  else {
    if (startsProgram.test(text)) needs.add('program')
    const helpers = [...text.matchAll(used)].map(([, other]) => join(path, '..', other!))
    for (const helper of helpers.filter((other) => other.startsWith('test')))
      for (const need of needsOf(helper)) needs.add(need)
  }
  return needs
}
