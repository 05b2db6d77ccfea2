// Builds web/ to dist/web/, each file beside its compressed forms. With --if-needed: only if its sources have changed.
import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { at, filesIn, hashOf, tool } from './sources.mjs'

const mark = at('dist/web/.sources')

/** Builds the web client, unless `ifNeeded` says that a client of the same sources will do. */
export function buildWeb({ ifNeeded }) {
  const made = ['package.json', 'scripts/build-web.mjs'].map((name) => at(name))
  const web = filesIn(at('web'))
  const hash = hashOf([...new Set([...web, ...importedBy(web), ...made])])
  if (ifNeeded && hash === built()) return
  // Beside its place, where a running server may read the files of the last build.
  const fresh = at('dist/web.new')
  rmSync(fresh, { recursive: true, force: true })
  // The second adds the service worker to what the first has made.
  for (const config of ['web/vite.config.ts', 'web/worker/vite.config.ts']) viteBuild(at(config), fresh)
  compress(fresh)
  writeFileSync(join(fresh, '.sources'), hash)
  rmSync(at('dist/web'), { recursive: true, force: true })
  renameSync(fresh, at('dist/web'))
}

function viteBuild(config, folder) {
  const words = ['build', '--config', config, '--outDir', folder, '--logLevel', 'warn']
  const { status } = spawnSync(process.execPath, [tool('vite', 'bin/vite.js'), ...words], {
    stdio: 'inherit',
    // A test that builds makes the same client as `npm run build`.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (status !== 0) process.exit(status ?? 1)
}

/** The files that these import, and those that they import: the client takes some of the server's sources. */
function importedBy(files) {
  const found = new Set(files)
  for (const file of found) {
    if (!/\.tsx?$/.test(file)) continue
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/(?:from|import)[ (]'(\.[^']+\.tsx?)'/g)) {
      found.add(join(dirname(file), path))
    }
  }
  return found
}

function built() {
  try {
    return readFileSync(mark, 'utf8')
  } catch {
    return undefined
  }
}

/** Puts a Brotli and a gzip form beside each file, so that the server compresses none of them. */
function compress(folder) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  for (const file of filesIn(folder).filter((name) => /\.(html|js|css|svg|json|webmanifest)$/.test(name))) {
    const bytes = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

if (process.argv[1] === join(import.meta.dirname, 'build-web.mjs')) {
  buildWeb({ ifNeeded: process.argv.includes('--if-needed') })
}
