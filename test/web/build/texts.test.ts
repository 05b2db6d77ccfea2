import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import messageFormat from '@messageformat/core'
import { expect, test } from 'vitest'
import { missingTexts } from '../../../scripts/missing-texts.ts'
import { bareCode, importsOf, repository } from '../../runner/source.ts'

// The module is the class itself, not an object with a default export as its types say.
const MessageFormat = messageFormat as unknown as typeof messageFormat.default

const root = fileURLToPath(new URL('../../../', import.meta.url))
const files = readdirSync(`${root}web/lang`, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.json'),
)
const languages = files.filter((name) => !/[\\/]/.test(name)).map((name) => name.replace(/\.json$/, ''))
/** The folders that hold parts of the texts: the top one, and one for each part. */
const folders = [...new Set(files.map((name) => dirname(name)))]
const english = textsOf('en')

test('each folder has the texts of each language, and no key is in two of them', () => {
  const wanted = folders.flatMap((folder) => languages.map((language) => join(folder, `${language}.json`)))
  expect(files.toSorted()).toEqual(wanted.toSorted())
  const keys = folders.flatMap((folder) => Object.keys(textsIn(folder, 'en')))
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test.each(languages)('the texts in %s have the keys of the English ones, in their order', (language) => {
  expect(Object.keys(textsOf(language))).toEqual(Object.keys(english))
})

test.each(languages)('each text in %s parses, and takes the values of the English one', (language) => {
  const texts = Object.entries(textsOf(language))
  const wanted = texts.map(([key]) => [key, placeholdersOf('en', english[key] ?? '')])
  const found = texts.map(([key, text]) => [key, placeholdersOf(language, text)])
  expect(found).toEqual(wanted)
})

test('what a language lacks is listed, with its file', () => {
  expect(languages.flatMap((language) => missingTexts(language))).toEqual([])
  const missing = missingTexts('xx')
  expect(missing).toHaveLength(Object.keys(english).length)
  expect(missing).toContain('web/lang/xx.json: view.inbox (Inbox)')
})

test('no module reads a text while it is loaded: the language may not be known yet', () => {
  const wrong = repository()
    .filter(({ path }) => /^web\/.*\.tsx?$/.test(path))
    .flatMap((file) => readWhenLoaded(bareCode(file)).map((text) => `${file.path}: ${text}`))
  expect(wrong).toEqual([])
})

test.each([
  ["const title = t('')", 1],
  ["const titles = {\n  first: t(''),\n}", 1],
  ["const titles = () => ({\n  first: t(''),\n})", 0],
  ["function title() {\n  return t('')\n}", 0],
])('a text that is read by a module is found in %j', (code, count) => {
  expect(readWhenLoaded(code)).toHaveLength(count)
})

/** The statements of a module that read a text outside of any function. */
function readWhenLoaded(code: string): string[] {
  return code.split(/\n(?=\w)/).filter((statement) => {
    const at = statement.search(/(?<![.\w])t\(/)
    return at >= 0 && !/=>|\bfunction\b|^(export )?class\b/.test(statement.slice(0, at))
  })
}

test('no text is unused', () => {
  const sources = readdirSync(`${root}web`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join('web', path))
  const code = new Map(sources.map((path) => [path, readFileSync(root + path, 'utf8')]))
  const all = [...code.values()].join('\n')
  const imports = new Map([...code].map(([path, text]) => [path, importedBy(path, text)]))
  const built = [...code].flatMap(([path, text]) => builtKeys(path, text))
  const isUsed = (key: string) => all.includes(`'${key}'`) || built.some((one) => isBuilt(one, key))
  expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([])

  /** Returns the keys that are made of a beginning and a value: `view.${name}`. */
  function builtKeys(path: string, text: string) {
    const prefixes = [...text.matchAll(/`([a-z_]+\.[a-z_]*)\$\{[^`]*\}`/g)].map(([, prefix = '']) => prefix)
    return prefixes.map((prefix) => ({ prefix, path, text }))
  }

  function importedBy(path: string, text: string) {
    return new Set(importsOf({ path, text, lines: [] }).map(({ from }) => from))
  }

  function importersOf(path: string) {
    return [...code].flatMap(([other, text]) => (imports.get(other)?.has(path) ? [text] : []))
  }

  /** Whether the value is named where the key is made, or in a file that is imported there or imports that one. */
  function isBuilt({ prefix, path, text }: { prefix: string; path: string; text: string }, key: string) {
    if (!key.startsWith(prefix)) return false
    const imported = [...(imports.get(path) ?? [])].map((from) => code.get(from) ?? '')
    return [text, ...imported, ...importersOf(path)].some((one) =>
      one.includes(`'${key.slice(prefix.length)}'`),
    )
  }
})

function textsOf(language: string): Record<string, string> {
  return Object.assign({}, ...folders.map((folder) => textsIn(folder, language)))
}

function textsIn(folder: string, language: string): Record<string, string> {
  return JSON.parse(readFileSync(join(root, 'web/lang', folder, `${language}.json`), 'utf8'))
}

/** The names of the values that a text takes; those of all its forms, as its function reads them all. */
function placeholdersOf(language: string, text: string): string[] {
  const names = new Set<string>()
  const values = new Proxy({}, { get: (_, name) => names.add(String(name)) && 1 })
  new MessageFormat(language).compile(text)(values)
  return [...names].sort()
}
