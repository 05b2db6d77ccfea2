// Versions of Rookery from the history of this repository: their sources, their builds, their servers.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { at } from './sources.mjs'

export function git(...words) {
  return execFileSync('git', words, { cwd: at(), encoding: 'utf8', maxBuffer: 1024 ** 3 }).trim()
}

/** Returns the folder with a revision's build. It is made once: the sources of a commit do not change. */
export function builtVersion(revision) {
  const commit = git('rev-parse', `${revision}^{commit}`)
  return cached(commit, (folder) => {
    const archive = execFileSync('git', ['archive', commit], { cwd: at(), maxBuffer: 1024 ** 3 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    symlinkSync(packagesFor(folder), join(folder, 'node_modules'))
    build(folder)
  })
}

/** Makes a folder of a name in the cache, unless it is there. */
function cached(name, make) {
  const folder = at('node_modules/.cache/versions', name)
  const finished = join(folder, '.finished')
  if (existsSync(finished)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  make(folder)
  writeFileSync(finished, '')
  return folder
}

/** Builds the sources in a folder. Throws what the build prints if it fails. */
export function build(folder) {
  try {
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    throw new Error(`The build fails:\n${error.stdout}${error.stderr}`, { cause: error })
  }
}

/** Returns the packages that are installed here if they suffice, and otherwise those of the version's own lock file. */
function packagesFor(folder) {
  const { dependencies, devDependencies } = readJson(join(folder, 'package.json'))
  const compilers = ['typescript', 'esbuild', 'vite'].filter((name) => devDependencies[name])
  const needed = [...Object.entries(dependencies), ...compilers.map((name) => [name, devDependencies[name]])]
  if (needed.every(([name, version]) => installedHere(name) === version)) return at('node_modules')
  const lock = readFileSync(join(folder, 'package-lock.json'))
  const name = `packages-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`
  return join(
    cached(name, (cache) => install(folder, cache)),
    'node_modules',
  )
}

function install(folder, cache) {
  const npm = (...words) =>
    execFileSync('npm', [...words, '--ignore-scripts', '--no-fund', '--no-audit'], {
      cwd: cache,
      stdio: 'ignore',
    })
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(folder, name), join(cache, name))
  try {
    npm('ci')
  } catch {
    // The lock files of the first versions lack programs for other machines. Without the linter, they are not needed.
    const { devDependencies, ...rest } = readJson(join(folder, 'package.json'))
    const { '@biomejs/biome': _linter, ...others } = devDependencies
    writeFileSync(join(cache, 'package.json'), JSON.stringify({ ...rest, devDependencies: others }))
    npm('install')
  }
}

function installedHere(name) {
  const file = at('node_modules', name, 'package.json')
  return existsSync(file) ? readJson(file).version : undefined
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Returns the environment without the settings of a server, and with these. */
export function environmentWith(settings) {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^ROOKERY_|^(DATABASE_URL|HOST|PORT)$/.test(name),
  )
  return { ...Object.fromEntries(others), ...settings }
}

const running = new Set()

/** Ends the servers that still run, the newest first: the others may use the database of the first. */
export async function stopServers() {
  for (const child of [...running].reverse()) {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  }
}

/** Starts the server in a folder. Returns its API when it answers. `tell` gets warnings and errors from its log. */
export async function startServer(folder, settings, tell) {
  const env = environmentWith({ ROOKERY_RATE_LIMITS: 'off', ROOKERY_LOG_LEVEL: 'warn', ...settings })
  const child = spawn(process.execPath, [join(folder, 'dist/main.js'), 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let isOver = false
  running.add(child)
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text) => /"level":(40|50|60)/.test(text) && tell(text.trim()))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  ended.then(() => {
    isOver = true
    running.delete(child)
  })
  const api = `http://localhost:${settings.PORT}/api/v1`
  const stop = async () => {
    child.kill('SIGTERM')
    return ended
  }
  for (let tries = 0; tries < 1200 && !isOver; tries++) {
    const response = await fetch(`${api}/server_settings`).catch(() => undefined)
    // The first version did not have this operation.
    if (response && response.status !== 503) return { api, stop }
    await sleep(50)
  }
  await stop()
  throw new Error('The server does not start.')
}

/** Returns the owner's credentials, from the file that the first start writes. */
export async function ownerOf(data) {
  const file = join(data, 'zuliprc')
  // The first versions already listen when they write it.
  for (let tries = 0; tries < 100; tries++) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const [, email, key] = /email=(.*)\nkey=(.*)\n/.exec(text) ?? []
    if (key) return { email, authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` }
    await sleep(100)
  }
  throw new Error(`${file} has no key.`)
}

/** Returns the status and the body of a response. Throws if there is none. */
export async function ask(method, url, authorization, form) {
  const body = form instanceof FormData ? form : form && new URLSearchParams(form)
  const response = await fetch(url, { method, headers: { authorization }, body })
  const text = await response.text()
  try {
    return { status: response.status, body: JSON.parse(text) }
  } catch {
    return { status: response.status, body: { msg: text.slice(0, 200) } }
  }
}

/** The same, of a request that must succeed. */
export async function call(url, authorization, form) {
  const { status, body } = await ask(form ? 'POST' : 'GET', url, authorization, form)
  if (status !== 200) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`)
  return body
}

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
