// Compiles src/ to dist/, and web/ to dist/web/ unless a client of the same sources is there; dist/build.json says what they were made
// from. With --if-needed: only if that has changed, so that a start needs neither a compiler nor a dist/ that can be written,
// once it was built.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { buildWeb } from './build-web.mjs'
import { at, filesIn, hashOf, tool } from './sources.mjs'

const sources = hashOf(compiled())
if (!process.argv.includes('--if-needed') || builtFrom() !== sources) await build()

async function build() {
  // Exits with what to do if there is no compiler.
  tool('esbuild', 'package.json')
  const { bundle } = await import('./bundle.mjs')
  removeOld()
  await bundle(at('dist'), commit())
  buildWeb({ ifNeeded: true })
  writeFileSync(at('dist/build.json'), `${JSON.stringify({ sources })}\n`)
}

/** Removes what an earlier version of the build has made. The web client replaces its own files. */
function removeOld() {
  if (!existsSync(at('dist'))) return
  for (const name of readdirSync(at('dist')).filter((name) => name !== 'web')) {
    rmSync(at('dist', name), { recursive: true })
  }
}

function builtFrom() {
  try {
    return JSON.parse(readFileSync(at('dist/build.json'), 'utf8')).sources
  } catch {
    return undefined
  }
}

/** Returns the files that the compilers read. */
function compiled() {
  const files = ['src', 'web']
    .flatMap((folder) => filesIn(at(folder)))
    .filter((name) => !name.endsWith('.test.ts'))
  return [...files, at('tsconfig.json'), at('package.json'), at('scripts/bundle.mjs')]
}

/** The commit that ROOKERY_COMMIT names, as for an image without the repository, or the one that is checked out. */
function commit() {
  if (process.env.ROOKERY_COMMIT) return process.env.ROOKERY_COMMIT
  if (!existsSync(at('.git'))) return undefined
  try {
    const git = (...words) =>
      execFileSync('git', words, { cwd: at(), encoding: 'utf8', stdio: 'pipe' }).trim()
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
    return git('rev-parse', '--short=10', 'HEAD') + (isChanged ? '-changed' : '')
  } catch {
    return undefined
  }
}
