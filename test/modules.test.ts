import { describe, expect, test } from 'vitest'
import { importsOf, repository } from './runner/source.ts'

// The permitted imports. ARCHITECTURE.md names the modules and groups.

const code = repository().filter(({ path }) => path.endsWith('.ts') && path !== 'src/db/schema.ts')
const product = code.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))
const features = product.filter(({ path }) => path.startsWith('src/features/'))

describe('modules', () => {
  const pure = ['lib']
  const mayImport: Record<string, string[]> = {
    lib: [],
    markdown: pure,
    narrow: pure,
    config: pure,
    adapters: ['lib', 'config'],
    postgres: pure,
    db: pure,
    log: ['lib', 'db', 'adapters'],
    queues: ['lib', 'db', 'log', 'narrow'],
    http: ['lib', 'db', 'log', 'queues', 'adapters'],
    jobs: ['lib', 'db', 'log', 'adapters'],
    monitoring: ['lib', 'db', 'log', 'queues', 'adapters'],
    features: ['lib', 'markdown', 'narrow', 'db', 'log', 'queues', 'http', 'jobs', 'adapters'],
    setup: ['lib', 'markdown', 'db', 'log', 'jobs', 'adapters', 'http', 'features'],
  }

  test.each(Object.keys(mayImport))('src/%s imports only from the modules below it', (module) => {
    const inside = product.filter(({ path }) => moduleOf(path) === module)
    const wrong = inside.flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => /^(src|test|bench)\//.test(from))
        .filter(({ from }) => moduleOf(from) !== module && !mayImport[module]!.includes(moduleOf(from)))
        .map(({ from }) => `${file.path} imports ${from}`),
    )
    expect(wrong).toEqual([])
  })

  test('every file of the product is in a module', () => {
    const modules = new Set(product.map(({ path }) => moduleOf(path)))
    expect([...modules].filter((module) => module !== 'main' && !mayImport[module])).toEqual([])
  })

  test('nothing of the product imports a test, the tests’ helpers or the benchmark', () => {
    const wrong = product.filter((file) =>
      importsOf(file).some(({ from }) => /^(test|bench)\/|\.test\.ts$/.test(from)),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('imports of our own files end in .ts', () => {
    const wrong = code.flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => /^(src|test|bench)\//.test(from) && !/\.(ts|json)$/.test(from))
        .map(({ from }) => `${file.path} imports ${from}`),
    )
    expect(wrong).toEqual([])
  })

  test('only src/http uses Fastify; the app may name its types', () => {
    const wrong = code.filter((file) =>
      importsOf(file).some(
        ({ from, typesOnly }) =>
          /^@?fastify/.test(from) &&
          moduleOf(file.path) !== 'http' &&
          !(typesOnly && file.path === 'src/app.ts'),
      ),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })

  test('an event type uses nothing of Node itself', () => {
    const wrong = features.filter(
      (file) =>
        file.path.endsWith('.event.ts') && importsOf(file).some(({ from }) => from.startsWith('node:')),
    )
    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})

describe('features', () => {
  const groups = [
    'kernel',
    'organization',
    'people',
    'channels',
    'messages',
    'bots',
    'accounts',
    'notifications',
    'clients',
  ]

  /** The position of a file's group, and its feature; undefined for the lists of features. */
  function placeOf(path: string) {
    const [, group, feature] = /^src\/features\/([^/]+)\/([^/]+)\//.exec(path) ?? []
    if (!group || !feature) return undefined
    return { group: groups.indexOf(group), feature: group === 'kernel' ? 'kernel' : feature }
  }

  function isAllowed(path: string, imported: string) {
    const [from, to] = [placeOf(path), placeOf(imported)]
    if (!from || !to || to.group < from.group) return true
    return to.group === from.group && (to.feature === from.feature || to.feature === 'kernel')
  }

  test('are in groups that have an order', () => {
    expect(features.filter(({ path }) => placeOf(path)?.group === -1).map(({ path }) => path)).toEqual([])
  })

  test('import from groups before theirs, and from the kernel of their own', () => {
    const wrong = features.flatMap((file) =>
      importsOf(file)
        .filter(({ from }) => !isAllowed(file.path, from))
        .map(({ from }) => `${file.path} imports ${from}`),
    )
    expect(wrong).toEqual([])
  })

  test.each([
    ['src/features/people/users/a.ts', 'src/features/channels/kernel/b.ts', false],
    ['src/features/people/users/a.ts', 'src/features/people/groups/b.ts', false],
    ['src/features/people/kernel/users/a.ts', 'src/features/people/users/b.ts', false],
    ['src/features/people/users/a.ts', 'src/features/people/kernel/users/b.ts', true],
    ['src/features/channels/topics/a.ts', 'src/features/people/users/b.ts', true],
  ])('the rule is kept: %s importing %s is %s', (path, imported, allowed) => {
    expect(isAllowed(path, imported)).toBe(allowed)
  })
})

test('no files import each other in a cycle, but for types', () => {
  const imports = new Map(
    product.map((file) => [
      file.path,
      importsOf(file).flatMap(({ from, typesOnly }) => (typesOnly ? [] : from)),
    ]),
  )
  expect(cycles(imports)).toEqual([])
  expect(
    cycles(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ),
  ).toEqual([['b', 'c', 'b']])
})

test('an exported name has one meaning', () => {
  const lists = ['consequences', 'documents', 'endpoints', 'eventTypes', 'jobHandlers']
  const named = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|type|interface) (\w+)/gm
  const paths = new Map<string, string[]>()
  for (const { path, text } of product) {
    for (const [, name] of text.matchAll(named)) paths.set(name!, [...(paths.get(name!) ?? []), path])
  }
  const twice = [...paths].filter(([name, where]) => where.length > 1 && !lists.includes(name))
  expect(twice).toEqual([])
})

/** The first cycle below each file that has one. */
function cycles(imports: Map<string, string[]>): string[][] {
  const found: string[][] = []
  const done = new Set<string>()
  const visit = (path: string, above: string[]) => {
    if (above.includes(path)) return void found.push([...above.slice(above.indexOf(path)), path])
    if (done.has(path)) return
    done.add(path)
    for (const imported of imports.get(path) ?? []) visit(imported, [...above, path])
  }
  for (const path of imports.keys()) visit(path, [])
  return found
}

function moduleOf(path: string) {
  const [top, module, ...rest] = path.split('/')
  if (top !== 'src') return top!
  return rest.length === 0 || module === 'cli' ? 'main' : module!
}
