import { readFileSync } from 'node:fs'

/** Maps code points (sequences joined by hyphens) to names, the preferred one first. */
const table = new URL('./emoji-names.json', import.meta.url)

const names = Object.entries(JSON.parse(readFileSync(table, 'utf8')) as Record<string, string[]>)

/** The preferred names. */
export const nameOfCode: ReadonlyMap<string, string> = new Map(
  names.map(([code, [name = '']]) => [code, name]),
)

export const codeOfName: ReadonlyMap<string, string> = new Map(
  names.flatMap(([code, all]) => all.map((name) => [name, code] as const)),
)
