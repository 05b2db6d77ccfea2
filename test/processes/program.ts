import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../scripts/bundle.mjs'

/** Below node_modules, so that the program finds its libraries, and git ignores it. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

/**
 * Compiles the server as the build does, to a new directory, for the tests that start it as a process. `make` compiles it again,
 * after the sources have changed.
 */
export async function buildProgram() {
  await mkdir(cache, { recursive: true })
  const directory = await mkdtemp(join(cache, 'rookery-test-'))
  const path = await bundle(directory)
  const make = async () => void (await bundle(directory))
  return { path, make, remove: () => rm(directory, { recursive: true, force: true }) }
}
