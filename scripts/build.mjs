// Compiles src/ to dist/, which then says what it was made from. With --if-needed: only if that has changed, so that a start
// needs neither a compiler nor a dist/ that can be written, once it was built.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts) => join(home, ...parts)
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
const sources = hashOfSources()
if (!process.argv.includes('--if-needed') || builtFrom() !== sources) build()

function build() {
  const compiled = spawnSync(process.execPath, [compiler(), '-p', at('tsconfig.build.json')], {
    stdio: 'inherit',
  })
  if (compiled.status !== 0) process.exit(compiled.status ?? 1)
  chmodSync(at('dist/main.js'), 0o755)
  writeFileSync(at('dist/build.json'), `${JSON.stringify({ version, commit: commit(), sources })}\n`)
}

function compiler() {
  try {
    const require = createRequire(at('package.json'))
    return join(require.resolve('typescript/package.json'), '../bin/tsc')
  } catch {
    console.error(
      'What stands in dist/ was not made from these sources, and there is no compiler: run npm ci (without --omit=dev) and npm run build.',
    )
    process.exit(1)
  }
}

function builtFrom() {
  try {
    return JSON.parse(readFileSync(at('dist/build.json'), 'utf8')).sources
  } catch {
    return undefined
  }
}

/** Of everything that the compiler reads, by content: times change when files are copied. */
function hashOfSources() {
  const files = readdirSync(at('src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  const all = [...files, ...['tsconfig.json', 'tsconfig.build.json', 'package.json'].map((name) => at(name))]
  const hash = createHash('sha256')
  for (const file of all.sort())
    hash
      .update(`${relative(home, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

/** The commit that is checked out, if this is a repository. */
function commit() {
  if (!existsSync(at('.git'))) return undefined
  try {
    const git = (...words) =>
      execFileSync('git', words, { cwd: home, encoding: 'utf8', stdio: 'pipe' }).trim()
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
    return git('rev-parse', '--short=10', 'HEAD') + (isChanged ? '-changed' : '')
  } catch {
    return undefined
  }
}
