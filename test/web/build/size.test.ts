import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../dist/web/', import.meta.url))
const page = readFileSync(`${folder}index.html`, 'utf8')

/** Bytes of a file as sent, compressed by gzip. */
const sizeOf = (path: string) => gzipSync(readFileSync(folder + path), { level: 9 }).length

/** Returns the files that the page loads before the first list of messages: its scripts, its styles, and the English texts. */
function firstLoad(extension: string) {
  const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path = '']) => path)
  const texts = readdirSync(`${folder}assets`).filter((name) => /^en-.*\.js$/.test(name))
  return [...named, ...texts.map((name) => `assets/${name}`)].filter((path) => path.endsWith(extension))
}

test.each([
  ['.js', 60_000],
  ['.css', 14_000],
])('the first load of the web client stays within its size: %s', (extension, limit) => {
  const files = firstLoad(extension)
  const size = files.map(sizeOf).reduce((sum, one) => sum + one, 0)
  expect(files.length).toBeGreaterThan(0)
  expect(size).toBeLessThanOrEqual(limit)
})

test('no part that is loaded later takes more than 60 kB, and all parts together take at most 300 kB', () => {
  const all = readdirSync(`${folder}assets`).filter((name) => /\.(js|css)$/.test(name))
  const sizes = all.map((name) => sizeOf(`assets/${name}`))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(60_000)
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(300_000)
  expect(sizeOf('index.html')).toBeLessThanOrEqual(3_000)
})
