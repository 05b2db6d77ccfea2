import { readFileSync } from 'node:fs'

/** Code point (sequences joined by hyphens) -> names, the preferred one first. The same from src/ and from dist/. */
const table = new URL('./emoji-names.json', import.meta.url)

const names = Object.entries(JSON.parse(readFileSync(table, 'utf8')) as Record<string, string[]>)

export const nameOfCode: ReadonlyMap<string, string> = new Map(
  names.map(([code, [name = '']]) => [code, name]),
)

export const codeOfName: ReadonlyMap<string, string> = new Map(
  names.flatMap(([code, all]) => all.map((name) => [name, code] as const)),
)
