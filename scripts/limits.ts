import { writeFile } from 'node:fs/promises'
import { repository } from '../test/runner/source.ts'

// Writes docs/limits.md from the declarations: `npm run limits`.

const page = new URL('../docs/limits.md', import.meta.url)

const head = `# Limits

Everything that grows has a limit. This page lists them all, by the folder that declares them in its \`limits.ts\`. To change
one, change it there; \`npm run limits\` then writes this page. The settings, which an operator chooses, are in
[settings.md](settings.md).
`

type Limit = { name: string; value: number; doc: string }

/** The limits of one folder, under the name by which other files import them. */
export type Limits = { folder: string; object: string; doc: string; limits: Limit[] }

/** Returns all limits as they are declared, each with its comment. */
export function declaredLimits(): Promise<Limits[]> {
  const files = repository().filter(({ path }) => /^src\/.*\/limits\.ts$/.test(path))
  return Promise.all(
    files.map(async ({ path, text }) => {
      const [[object, values] = ['', {}]] = Object.entries(await import(`../${path}`))
      const [doc = '', ...docs] = [...text.matchAll(/\/\*\*(.*?)\*\//gs)].map(([, words]) => plain(words!))
      const limits = Object.entries(values as Record<string, number>)
      if (limits.length !== docs.length) throw new Error(`${path}: each limit needs a comment of its own`)
      return {
        folder: path.replace(/\/limits\.ts$/, ''),
        object,
        doc,
        limits: limits.map(([name, value], i) => ({ name, value, doc: docs[i]! })),
      }
    }),
  )
}

/** Returns the text of docs/limits.md. */
export async function limitsPage(): Promise<string> {
  const sections = (await declaredLimits())
    .sort((a, b) => (a.folder < b.folder ? -1 : 1))
    .map(({ folder, doc, limits }) => {
      const rows = limits.map((limit) => `| \`${limit.name}\` | ${shown(limit)} | ${limit.doc} |`)
      return ['', `## ${folder}`, '', doc, '', '| limit | value | what it bounds |', '|---|---|---|', ...rows]
    })
  return `${[head.trimEnd(), ...sections.flat()].join('\n')}\n`
}

function plain(comment: string) {
  return comment.replaceAll(/\s+\*\s+|\s+/g, ' ').trim()
}

const larger: Record<string, [size: number, unit: string][]> = {
  seconds: [
    [86_400, 'days'],
    [3_600, 'hours'],
    [60, 'minutes'],
  ],
  bytes: [
    [2 ** 20, 'MiB'],
    [2 ** 10, 'KiB'],
  ],
}

/** A value with its unit, which is the first word of its comment. */
function shown({ value, doc }: Limit): string {
  const [word = ''] = doc.split(/[ ,]/)
  const unit = ['KiB', 'MiB'].includes(word) ? word : word.toLowerCase()
  const [size, name] = larger[unit]?.find(([size]) => value % size === 0) ?? [1, unit]
  const count = value / size
  return `${count.toLocaleString('en')} ${count === 1 ? name.replace(/s$/, '') : name}`
}

if (process.argv[1] === new URL(import.meta.url).pathname) await writeFile(page, await limitsPage())
