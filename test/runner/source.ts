import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of this repository. */
export type Source = { path: string; text: string; lines: string[] }

const root = fileURLToPath(new URL('../..', import.meta.url))
const notOurs = new Set(['node_modules', 'dist', 'data', 'results'])

/** All text files of the repository; by their paths from its root. */
export function repository(): Source[] {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs|py|json|md|sql|ya?ml|css|html)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.split('/').some((part) => notOurs.has(part) || /^\.(?!ci|github)/.test(part)))
  return paths.sort().map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, lines: text.split('\n') }
  })
}

type Import = { from: string; typesOnly: boolean }

/** Returns the imports of a file: paths from the root for our own files, otherwise the name of the module. */
export function importsOf({ path, text }: Source): Import[] {
  const found = text.matchAll(
    /^(import|export)( type)?\b[^'"]*?from '([^']+)'|import\('([^']+)'\)|^import '([^']+)'/gm,
  )
  return [...found].map((match) => {
    const name = match[3] ?? match[4] ?? match[5]!
    const from = name.startsWith('.') ? normalize(join(dirname(path), name)) : name
    return { from, typesOnly: match[2] !== undefined }
  })
}

/** A file's code with comments and the insides of strings blanked out, line by line where it was. */
export function bareCode({ text }: Source): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replace(/`(?:[^`\\]|\\[\s\S])*`/g, (template) => template.replace(/[^\n]/g, ''))
    .replace(/(^|[ \t])\/\/.*$/gm, '')
}

/** The functions and methods of a file, by the layout that the formatter gives them: the end stands below the start. */
export function functionsOf({ lines }: Source): { name: string; line: number; length: number }[] {
  return lines.flatMap((text, at) => {
    const start = functionStart.exec(text)
    const name = start?.[2] ?? start?.[3] ?? start?.[4]
    if (!start || !name || keywords.has(name)) return []
    const end = new RegExp(`^${start[1]}(\\}|\\)(?!.*(\\{|=> \\()$))[),;]*( satisfies .*| as .*)?$`)
    const length = lines.slice(at).findIndex((line) => end.test(line)) + 1
    return [{ name, line: at + 1, length }]
  })
}

const functionStart =
  /^( *)(?:(?:export )?(?:default )?(?:async )?function\*? (\w+)\b.*|(?:(?:async|static|get|set|private|readonly|override|\*) ?)*(\w+)(?:<.*>)?\(.*[({]|(?:export )?const (\w+) = (?:async )?\(.*[({])$/

const keywords = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'expect',
  'super',
  'test',
  'describe',
])

/** The classes that a style file selects by. */
export function classesOf({ text }: Source): string[] {
  const selectors = text.replace(/\/\*[\s\S]*?\*\//g, '').match(/[^{};]+(?=\{)/g) ?? []
  return [
    ...new Set(
      selectors.flatMap((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!)),
    ),
  ]
}
