import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { filesWithFigures } from '../bench/charts/figures.ts'
import { limitsPage } from '../scripts/limits.ts'
import { configTable } from '../src/config/config.ts'
import { fileNames } from '../src/config/settings-file.ts'
import { allEndpoints } from '../src/features/index.ts'
import { repository } from './runner/source.ts'

const pages = repository().filter(({ path }) => path.endsWith('.md') && path !== 'CHANGELOG.md')

test('docs/settings.md shows the settings as they are declared', async () => {
  const page = await readFile(new URL('../docs/settings.md', import.meta.url), 'utf8')
  const shown = /<!-- settings: .*-->\n([\s\S]*?)<!-- \/settings -->/.exec(page)?.[1]
  expect(shown).toBe(configTable())
})

test('docs/limits.md shows the limits as they are declared', async () => {
  expect(await readFile(new URL('../docs/limits.md', import.meta.url), 'utf8')).toBe(await limitsPage())
})

test('each limit begins its comment with its unit', async () => {
  const rows = (await limitsPage()).split('\n').filter((line) => line.startsWith('| `'))
  const isNoUnit = /^\| `\w+` \| [\d,.]+ (?:a|an|each|for|how|in|of|the|what|which)\b/
  expect(rows.filter((row) => isNoUnit.test(row))).toEqual([])
})

test('docs/performance.md, docs/scaling.md and their charts show what the benchmark found (npm run figures)', async () => {
  for (const [path, text] of filesWithFigures()) expect(await readFile(at(path), 'utf8'), path).toBe(text)
})

test('docs name files that exist', () => {
  const found = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:src|test|scripts|docs|bench|web)\/[\w./-]+?)\/?`/g)]
      .filter(([, named]) => !existsSync(new URL(`../${named}`, import.meta.url)))
      .map(([, named]) => `${path}: ${named}`),
  )
  expect(found).toEqual([])
})

test('docs and examples name settings that exist', () => {
  // The build takes the first; the second is the example of a fault.
  const known = [...fileNames, 'ROOKERY_COMMIT', 'ROOKERY_SMPT_URL']
  const found = repository()
    .filter(({ path }) => /^(README\.md|docs\/|deploy\/)/.test(path) && !path.startsWith('docs/decisions/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bROOKERY_[A-Z0-9_]*[A-Z0-9]\b/g)]
        .filter(([name]) => !known.includes(name))
        .map(([name]) => `${path}: ${name}`),
    )
  expect(found).toEqual([])
})

test('links between docs lead to a page and a heading', () => {
  const found = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
      .filter(([, page, heading]) => !leadsTo(new URL(page || path.split('/').at(-1)!, at(path)), heading))
      .map(([link]) => `${path}: ${link}`),
  )
  expect(found).toEqual([])
})

test('docs/differences.md names operations that exist', () => {
  const served = new Set(allEndpoints.map(({ method, path }) => `${method} ${path}`))
  const { text } = pages.find(({ path }) => path === 'docs/differences.md')!
  const named = text.split('\n').flatMap((line) => {
    const [, first = ''] = /^\|([^|]*)\|/.exec(line) ?? []
    return [...first.matchAll(/`([A-Z]+ \/[^`]+)`/g)].map(([, operation]) => operation!)
  })
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((operation) => !served.has(operation))).toEqual([])
})

function at(path: string) {
  return new URL(`../${path}`, import.meta.url)
}

function leadsTo(url: URL, heading: string | undefined) {
  if (!existsSync(url)) return false
  if (!heading) return true
  const page = pages.find(({ path }) => at(path).href === url.href)
  const headings = [...(page?.text ?? '').matchAll(/^#+ (.*)$/gm)]
  return headings.some(
    ([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-') === heading,
  )
}
