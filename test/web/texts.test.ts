import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import messageFormat from '@messageformat/core'
import { expect, test } from 'vitest'
import { importsOf } from '../source.ts'

// The module is the class itself, not an object with a default export as its types say.
const MessageFormat = messageFormat as unknown as typeof messageFormat.default

const root = fileURLToPath(new URL('../../', import.meta.url))
const languages = readdirSync(`${root}web/lang`).map((name) => name.replace(/\.json$/, ''))
const english = textsOf('en')

test.each(languages)('the texts in %s have the keys of the English ones, in their order', (language) => {
  expect(Object.keys(textsOf(language))).toEqual(Object.keys(english))
})

test.each(languages)('each text in %s parses, and takes the values of the English one', (language) => {
  const texts = Object.entries(textsOf(language))
  const wanted = texts.map(([key]) => [key, placeholdersOf('en', english[key] ?? '')])
  const found = texts.map(([key, text]) => [key, placeholdersOf(language, text)])
  expect(found).toEqual(wanted)
})

test('no text is unused', () => {
  const sources = readdirSync(`${root}web`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => join('web', path))
  const code = new Map(sources.map((path) => [path, readFileSync(root + path, 'utf8')]))
  const all = [...code.values()].join('\n')
  const built = [...code].flatMap(([path, text]) => builtKeys(path, text))
  const isUsed = (key: string) => all.includes(`'${key}'`) || built.some((one) => isBuilt(one, key))
  expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([])

  /** Where keys are made of a beginning and a value: `view.${name}`. */
  function builtKeys(path: string, text: string) {
    const prefixes = [...text.matchAll(/`([a-z_]+\.[a-z_]*)\$\{[^`]*\}`/g)].map(([, prefix = '']) => prefix)
    return prefixes.map((prefix) => ({ prefix, path, text }))
  }

  /** Whether the value is named where the key is made, or in a file that is imported there. */
  function isBuilt({ prefix, path, text }: { prefix: string; path: string; text: string }, key: string) {
    if (!key.startsWith(prefix)) return false
    const imported = importsOf({ path, text, lines: [] }).map(({ from }) => code.get(from) ?? '')
    return [text, ...imported].some((one) => one.includes(`'${key.slice(prefix.length)}'`))
  }
})

function textsOf(language: string): Record<string, string> {
  return JSON.parse(readFileSync(`${root}web/lang/${language}.json`, 'utf8'))
}

/** The names of the values that a text takes; those of all its forms, as its function reads them all. */
function placeholdersOf(language: string, text: string): string[] {
  const names = new Set<string>()
  const values = new Proxy({}, { get: (_, name) => names.add(String(name)) && 1 })
  new MessageFormat(language).compile(text)(values)
  return [...names].sort()
}
