import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../errors.ts'

/**
 * Makes a directory and those above it that are missing. Returns the first that was made; undefined if all exist. Node's own
 * recursive mkdir never ends where a file system refuses new names with ENOENT, as /proc and some automounted ones do.
 */
export function makeDirectories(directory: string, mode = 0o777): string | undefined {
  try {
    return makeOne(directory, mode)
  } catch (error) {
    const above = dirname(directory)
    if (codeOf(error) !== 'ENOENT' || above === directory) throw error
    const first = makeDirectories(above, mode)
    const last = makeOne(directory, mode)
    return first ?? last
  }
}

/** Makes a directory, unless it exists. */
function makeOne(directory: string, mode: number): string | undefined {
  try {
    mkdirSync(directory, { mode })
    return directory
  } catch (error) {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return undefined
    throw error
  }
}
