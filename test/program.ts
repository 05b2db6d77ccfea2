import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

// The server as one file of JavaScript, for the tests that start it as a process: it starts in a quarter of the processor
// time that compiling the sources at each start takes.

/** Below node_modules, so that the program finds its libraries, and git ignores it. */
const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))
const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** Sources find files by their own address, which the bundle does not have. */
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      const address = JSON.stringify(pathToFileURL(path).href)
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', address) }
    })
  },
}

/** Compiles src/main.ts to a new directory. `make` compiles it again, after the sources have changed. */
export async function buildProgram() {
  await mkdir(cache, { recursive: true })
  const directory = await mkdtemp(join(cache, 'rookery-test-'))
  const path = join(directory, 'main.js')
  const make = async () => {
    await build({
      entryPoints: [join(sources, 'main.ts')],
      outfile: path,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      keepNames: true,
      plugins: [ownAddresses],
    })
  }
  await make()
  return { path, make, remove: () => rm(directory, { recursive: true, force: true }) }
}
