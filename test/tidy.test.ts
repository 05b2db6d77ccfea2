import { readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeOptions } from '../scripts/bundle.mjs'
import { declaredLimits } from '../scripts/limits.ts'
import { generateSchema } from '../src/db/generate-schema.ts'
import { allEndpoints, allEventTypes } from '../src/features/index.ts'
import { repeatable } from './browser/presses.ts'
import { unguarded } from './callbacks.ts'
import { onTemplate, templateUrl } from './runner/database.ts'
import { bareCode, classesOf, functionsOf, importsOf, repository, type Source } from './runner/source.ts'
import { avoidedWords } from './words.ts'

// The house rules that a machine can check. CONTRIBUTING.md says why they are as they are.

const files = repository()
const code = files.filter(({ path }) => /\.tsx?$/.test(path) && path !== 'src/db/schema.ts')
const product = code.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))
const webClient = code.filter(({ path }) => path.startsWith('web/'))
/** Writes a source file, so it never runs built. */
const _generator = 'src/db/generate-schema.ts'
const features = product.filter(({ path }) => path.startsWith('src/features/'))

describe('sizes', () => {
  test('files have at most 300 lines', () => {
    const long = code.filter(({ lines }) => lines.length - 1 > 300)
    expect(long.map(({ path, lines }) => `${path}: ${lines.length - 1}`)).toEqual([])
  })

  test('functions have fewer than 50 lines', () => {
    const long = [...product, ...webClient].flatMap((file) =>
      functionsOf(file)
        .filter(({ length }) => length >= 50)
        .map(({ name, line, length }) => `${file.path}:${line} ${name} has ${length} lines`),
    )
    expect(long).toEqual([])
  })

  test('no limit is kept that nothing reads', async () => {
    const read = product.map(({ text }) => text).join('\n')
    const isRead = (object: string, name: string) =>
      new RegExp(`\\b${object}\\.${name}\\b|\\{[^}\\n]*\\b${name}\\b[^}\\n]*\\} = ${object}\\b`).test(read)
    const unread = (await declaredLimits()).flatMap(({ object, limits }) =>
      limits.filter(({ name }) => !isRead(object, name)),
    )
    expect(unread).toEqual([])
  })
})

describe('writing', () => {
  const writers = /^src\/(log|db|jobs)\/|^src\/queues\/store\.ts$/
  const sqlWrite =
    /\b(INSERT\s+INTO|UPDATE\s+\S+(\s+(AS\s+)?\w+)?\s+SET|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE)\b/g
  const sqlStart = /\bsql(<[^`]*>)?`/g

  test('happens only inside commit', () => {
    const others = product.filter(({ path }) => !writers.test(path))
    const wrong = others.filter(({ text }) => buildsWrites(text) || unguardedWrites(text).length > 0)
    expect(wrong.map(({ path, text }) => `${path}: ${unguardedWrites(text).join(', ')}`)).toEqual([])
  })

  test.each([
    ['read.rows(sql`DELETE FROM draft`)', ['DELETE FROM']],
    ['change.run(sql`SELECT 1`)\nread.rows(sql<Row>`DELETE FROM draft`)', ['DELETE FROM']],
    ['read.rows<Row>(sql<{ id: number }>`\n  UPDATE draft AS d SET topic = 1`)', ['UPDATE draft AS d SET']],
    ['read.rows(sql`UPDATE public.draft SET topic = 1`)', ['UPDATE public.draft SET']],
    ['change.run(sql`UPDATE draft d SET topic = 1`)', []],
    ['read.rows(sql`SELECT 1`)\nchange.run<Row>(\n  sql<Row>`DELETE FROM draft`)', []],
  ])('is found in %j', (text, found) => {
    expect(unguardedWrites(text)).toEqual(found)
  })

  function buildsWrites(text: string) {
    return /\.(insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\(/.test(text)
  }

  /** SQL that writes and is neither run by a change nor that of a group's kind. */
  function unguardedWrites(text: string) {
    if (/= batchedWrite</.test(text)) return []
    return [...text.matchAll(sqlWrite)]
      .filter(({ index }) => {
        const start = [...text.slice(0, index).matchAll(sqlStart)].at(-1)?.index ?? 0
        return !/change\.run(<[^`]*>)?\(\s*$/.test(text.slice(0, start))
      })
      .map(([write]) => write)
  }
})

describe('operations and events', () => {
  const route = /\b(?:query|command)\(\s*'((?:GET|POST|PUT|PATCH|DELETE) [^']+)'/g
  const declared = features.map((file) => ({
    file,
    routes: [...file.text.matchAll(route)].map(([, name]) => name!),
  }))

  test('a file has one operation, or none', () => {
    const several = declared.filter(({ routes }) => routes.length > 1)
    expect(several.map(({ file }) => file.path)).toEqual([])
  })

  test('every operation is served', () => {
    const served = allEndpoints.map(({ method, path }) => `${method} ${path}`)
    expect(served.sort()).toEqual(declared.flatMap(({ routes }) => routes).sort())
  })

  test('operations do not import each other', () => {
    const operations = new Set(
      declared.filter(({ routes }) => routes.length > 0).map(({ file }) => file.path),
    )
    const wrong = features
      .filter(({ path }) => !path.endsWith('/index.ts'))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ from }) => operations.has(from))
          .map(({ from }) => `${file.path} imports ${from}`),
      )
    expect(wrong).toEqual([])
  })

  test('a file has one event type, and every one of them is known', () => {
    const types = allEventTypes()
    const wrong = features
      .filter(({ path }) => path.endsWith('.event.ts'))
      .filter(({ text }) => {
        const names = [...text.matchAll(/^export const \w+ = \{\n {2}type: '(\w+)'/gm)].map(
          ([, name]) => name!,
        )
        return names.length !== 1 || !types.get(names[0]!)
      })
    expect(wrong.map(({ path }) => path)).toEqual([])
  })
})

describe('words', () => {
  test('wire names stay at the wire', () => {
    const wire =
      /\b(stream|streams|stream_ids?|stream_name|streamIds?|streamName|subject|orig_subject|display_recipient|invite_only)\b/
    const inside = product.filter(({ path }) => /^src\/(log|queues|lib)\//.test(path))
    expect(matches(inside, wire, bareCode)).toEqual([])
  })

  test('only the command line prints', () => {
    const silent = product.filter(({ path }) => path !== 'src/main.ts' && !path.startsWith('src/cli/'))
    expect(matches(silent, /\bconsole\./)).toEqual([])
  })

  test('nothing is left for later', () => {
    // Written so that it does not find itself.
    expect(matches(files, /\b(TO(?:DO)|FIX(?:ME)|X{3})\b/)).toEqual([])
  })

  test('nothing names a path of a developer’s machine', () => {
    const others = files.filter(({ path }) => path !== 'test/tidy.test.ts')
    expect(matches(others, /(?<![\w.:}])\/(home|root|Users|work)\/\w/)).toEqual([])
  })

  test('data files are read from src/, where the sources and the build find them, or from dist/', () => {
    const found = product.flatMap(({ path, text }) =>
      [...text.matchAll(/new URL\('(\.[^']*)', import\.meta\.url\)/g)].map(([, file]) => ({
        path,
        file: normalize(join(dirname(path), file!)),
      })),
    )
    const wrong = found.filter(({ file }) => !/^(src\/|dist\/web$|package\.json$)/.test(file))
    expect(wrong).toEqual([])
    expect(found.length).toBeGreaterThan(5)
  })

  test('no text has words that make it hard to read', () => {
    // The changelog is a record, a lock file is not ours, and clients know emoji by their names.
    const others = files.filter(
      ({ path }) =>
        !/^test\/words\.|^(CHANGELOG\.md|package-lock\.json|src\/markdown\/emoji\/emoji-names\.json)$/.test(
          path,
        ),
    )
    const found = others.flatMap(({ path, text }) =>
      avoidedWords(text).map(({ word, line }) => `${path}:${line}: ${word}`),
    )
    expect(found).toEqual([])
  })

  test('only src/lib/clock.ts asks the machine for the time', () => {
    const others = product.filter(({ path }) => path !== 'src/lib/clock.ts')
    expect(matches(others, /\bDate\.now\(|\bnew Date\(\)/)).toEqual([])
  })

  test('directories that users name are made by makeDirectories, which always ends', () => {
    expect(matches(product, /\bmkdir(Sync)?\(.*recursive/)).toEqual([])
  })

  test('types need no compiler to be taken away', () => {
    expect(matches(product, /^\s*(export )?(const )?enum \w|^\s*(export )?namespace \w/)).toEqual([])
  })
})

describe('what nothing uses', () => {
  const inFiles = new Map<string, number>()
  for (const { text } of [...files.filter(({ path }) => path.endsWith('.mjs')), ...code]) {
    for (const word of new Set(text.match(/\b\w+\b/g))) inFiles.set(word, (inFiles.get(word) ?? 0) + 1)
  }

  test('is not exported', () => {
    const exported = /^export (?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm
    const unused = code.flatMap(({ path, text }) =>
      [...text.matchAll(exported)]
        .filter(([, name]) => inFiles.get(name!) === 1)
        .map(([, name]) => `${path}: ${name}`),
    )
    expect(unused).toEqual([])
  })

  test('has no style', () => {
    // Many classes of messages are those of highlighted code.
    const styles = files.filter(
      ({ path }) => /^web\/.*\.css$/.test(path) && path !== 'web/styles/message.css',
    )
    const named = new Set(
      files
        .filter(({ path }) => /^(web|src)\/.*\.(tsx?|html)$/.test(path))
        .flatMap(({ text }) => text.match(/[\w-]+/g) ?? []),
    )
    const unused = styles.flatMap((file) =>
      classesOf(file)
        .filter((name) => !named.has(name))
        .map((name) => `${file.path}: .${name}`),
    )
    expect(unused).toEqual([])
  })
})

describe('callbacks', () => {
  test('are made by guard, so that what they throw ends no process', () => {
    const wrong = product.flatMap((file) => unguarded(file).map((where) => `${file.path}:${where}`))
    expect(wrong).toEqual([])
  })
})

describe('buttons', () => {
  const screens = webClient.filter(({ path }) => path.endsWith('.tsx'))

  test('that start something which takes time act once, however often they are pressed', () => {
    const wrong = screens.flatMap((file) => repeatable(file).map((where) => `${file.path}:${where}`))
    expect(wrong).toEqual([])
  })

  test.each([
    ['<button onClick={() => void send()}>', 1],
    ['<button onClick={() => send().catch(noticeFailure)}>', 1],
    ['  const press = async () => {\n    await send()\n  }\n  <button class={a > b} onClick={press}>', 1],
    ['function ask() {\n  tell()\n}\nfunction tell() {\n  void send()\n}\n<button onClick={() => ask()}>', 1],
    ['  const { isBusy, press } = usePress(() => send().then(close))\n  <button onClick={press}>', 0],
    ['<button onClick={() => props.close()}>', 0],
  ])('are found in %j', (text, count) => {
    expect(repeatable({ path: '', text, lines: text.split('\n') })).toHaveLength(count)
  })
})

describe('tests', () => {
  test('wait twenty seconds for what they expect, as a busy machine may take long', () => {
    const tests = code.filter(({ path }) => path.endsWith('.test.ts') || path.startsWith('test/'))
    const hasty = /\btimeout: (\d|1\d)_000\b|vi\.wait(For|Until)\([^,]*\)$/
    expect(matches(tests, hasty)).toEqual([])
  })
})

describe('starting', () => {
  test('npm start runs Node, in place of the shell, with what the command runs it with', async () => {
    const { scripts } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    expect(scripts.start).toBe(`exec node ${nodeOptions.join(' ')} dist/main.js serve`)
  })
})

describe('the database', () => {
  test('every table has a key', async () => {
    const rows = await onTemplate(`
      SELECT relname FROM pg_class t
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid = t.oid AND indisprimary)`)
    expect(rows).toEqual([])
  })

  test('schema.ts is what the migrations make', async () => {
    const written = await readFile(new URL('../src/db/schema.ts', import.meta.url), 'utf8')
    expect(await generateSchema(templateUrl())).toBe(written)
  })
})

/** Where a pattern occurs, as file:line: text. */
function matches(inside: Source[], pattern: RegExp, read = (file: Source) => file.text): string[] {
  return inside.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, i) =>
        pattern.test(line) ? [`${file.path}:${i + 1}: ${line.trim().slice(0, 100)}`] : [],
      ),
  )
}
