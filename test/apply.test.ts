import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { applyEvent, applyOf } from '../src/features/apply.ts'
import { allEventTypes } from '../src/features/index.ts'
import { importsOf, repository } from './runner/source.ts'

// The code that clients import: what events do to their state, and narrows.

const product = new Map(
  repository()
    .filter(({ path }) => path.startsWith('src/') && path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((file) => [file.path, file]),
)
const roots = [
  'src/features/apply.ts',
  ...['predicate', 'resolve', 'terms', 'with'].map((name) => `src/narrow/${name}.ts`),
]
/** Types too: else a client's compiler would read the server, and need what it is compiled with. */
const pure = /^src\/(lib|narrow)\/|^src\/db\/roles\.ts$|^src\/queues\/client-state\.ts$|^src\/features\//

test('clients import nothing of Node, of packages or of the server, not even types', () => {
  expect(impureChains(roots)).toEqual([])
})

test('a chain of imports that leaves the pure code is found', () => {
  expect(impureChains(['src/features/kernel/pictures/addresses.ts'])).toEqual([])
  expect(impureChains(['src/narrow/search-sql.ts'])).toEqual(['src/narrow/search-sql.ts > kysely'])
  expect(impureChains(['src/narrow/sql.ts'])).toContain('src/narrow/sql.ts > kysely')
})

test('the very functions that the tests of the server prove are those that clients import', () => {
  const types = allEventTypes()
  const names = [...product.keys()]
    .filter((path) => path.endsWith('.event.ts'))
    .map((path) => basename(path, '.event.ts'))
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => !applyOf(name) || applyOf(name) !== types.get(name)?.apply)).toEqual([])
})

test('an event of an unknown type leaves the state, and the caller learns of it', () => {
  const state = { alert_words: ['tea'] }
  expect(applyEvent(state, { type: 'constructor' })).toBe(false)
  expect(applyEvent(state, { type: 'of_the_future' })).toBe(false)
  expect(state).toEqual({ alert_words: ['tea'] })
})

describe('in a browser', () => {
  test('the code of clients works, and is small', async () => {
    const code = await bundled()
    const client = runInNewContext(`${code};client`)
    const state = { alert_words: ['tea'], streams: [{ stream_id: 1, name: 'a' }] }
    expect(client.applyEvent(state, { type: 'alert_words', alert_words: ['milk'] })).toBe(true)
    expect(client.applyEvent(state, { type: 'stream', op: 'delete', stream_ids: [1] })).toBe(true)
    expect(client.applyEvent(state, { type: 'heartbeat' })).toBe(false)
    expect(state).toEqual({ alert_words: ['milk'], streams: [] })
    const isInTopic = client.conditionToPredicate({ kind: 'topic', name: 'Lunch' })
    expect([isInTopic({ topic: 'lunch' }), isInTopic({ topic: 'tea' })]).toEqual([true, false])
    // It was 9 kB when this was written.
    expect(gzipSync(code).length).toBeLessThan(15_000)
  })

  async function bundled(): Promise<string> {
    const { outputFiles } = await build({
      stdin: {
        contents: roots.map((path) => `export * from './${path}'`).join('\n'),
        resolveDir: fileURLToPath(new URL('..', import.meta.url)),
      },
      bundle: true,
      platform: 'browser',
      format: 'iife',
      globalName: 'client',
      minify: true,
      write: false,
      logLevel: 'silent',
    })
    return outputFiles.map(({ text }) => text).join('')
  }
})

/** The chains of imports that lead out of the pure code. */
function impureChains(from: string[]): string[] {
  const seen = new Set(from)
  const open = from.map((path) => [path])
  const wrong: string[] = []
  for (let chain = open.pop(); chain; chain = open.pop()) {
    const file = product.get(chain.at(-1) ?? '')
    if (!file || !pure.test(file.path)) {
      wrong.push(chain.join(' > '))
      continue
    }
    for (const { from: path } of importsOf(file)) {
      if (seen.has(path)) continue
      seen.add(path)
      open.push([...chain, path])
    }
  }
  return wrong
}
