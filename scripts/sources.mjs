import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('..', import.meta.url))

/** The path of a file of this repository. */
export const at = (...parts) => join(home, ...parts)

export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** A hash of files by name and content: times change when files are copied. */
export function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files.toSorted())
    hash
      .update(`${relative(home, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

/** The path of a program that a development dependency brings. */
export function tool(name, path) {
  try {
    return join(createRequire(at('package.json')).resolve(`${name}/package.json`), '..', path)
  } catch {
    console.error(
      'What stands in dist/ was not made from these sources, and there is no compiler: run npm ci (without --omit=dev) and npm run build.',
    )
    process.exit(1)
  }
}
