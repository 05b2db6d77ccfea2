// Upgrades one server through its history: starts the first version that had migrations, then each commit that changed them, then what is
// checked out here, all on the same data directory. Meanwhile an owner writes, and a client listens. In the end nothing that was
// acknowledged may be missing, the client must have heard of each message once and in order, `rookery doctor` must find nothing
// wrong, and the tables must be those of a new database. Needs the whole history (git fetch --unshallow).
// With --direct, the first version is followed by the present one alone.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { at } from './sources.mjs'
import { differences, shapeOf, withDatabase } from './upgrades/database-shape.mjs'
import { listen } from './upgrades/listener.mjs'
import { Writer } from './upgrades/writer.mjs'
import {
  build,
  builtVersion,
  environmentWith,
  freePort,
  git,
  ownerOf,
  startServer,
  stopServers,
} from './versions.mjs'

if (git('rev-parse', '--is-shallow-repository') === 'true') {
  console.error('This clone lacks the history: git fetch --unshallow.')
  process.exit(2)
}
/** Commits that do not compile, so that no server has run them, each with the next one that does. */
const standIns = {
  ...Object.fromEntries(
    `bcfae51df0 705d7a4a62 140fb82cd4 17d7d16e8e 9b7b37163d ea0ede8196 ad0867500e cd3d7cab05 b3401b0cfb`
      .split(' ')
      .map((commit) => [commit, '820d50fc08']),
  ),
  '3112ddea35': '0518b06ac5',
  '9acdd48fe8': '0518b06ac5',
}

const isDirect = process.argv.includes('--direct')
const place = mkdtempSync(join(tmpdir(), 'rookery-upgrades-'))
const faults = []
try {
  await upgrade(isDirect ? versions().slice(0, 1) : versions())
} finally {
  await stopServers()
  rmSync(place, { recursive: true, force: true })
}
for (const fault of faults.slice(0, 30)) console.log(`FAULT  ${fault}`)
console.log(faults.length === 0 ? 'Every upgrade keeps everything.' : `${faults.length} faults.`)
process.exitCode = faults.length === 0 ? 0 : 1

/** The commits that changed the migrations, the oldest first. */
function versions() {
  const commits = git('log', '--reverse', '--format=%H', '--', 'src/db/migrations').split('\n')
  return [...new Set(commits.map((commit) => git('rev-parse', standIns[commit.slice(0, 10)] ?? commit)))]
}

async function upgrade(commits) {
  const data = join(place, 'data')
  const settings = { ROOKERY_DATA: data, PORT: String(await freePort()) }
  let writer
  let listener
  for (const [index, commit] of [...commits, undefined].entries()) {
    const begun = performance.now()
    const folder = commit ? builtVersion(commit) : at()
    if (!commit) build(folder)
    const built = performance.now()
    const name = commit ? commit.slice(0, 10) : 'present'
    const server = await startServer(folder, settings, (line) => faults.push(`${name} logged ${line}`))
    const started = performance.now()
    writer ??= new Writer(server.api, await ownerOf(data), (fault) => faults.push(fault))
    listener ??= listen(server.api, writer.owner, (fault) => faults.push(fault))
    const before = writer.acknowledged
    await writer.use(name)
    const used = performance.now()
    if (commit) {
      writer.sendUntilStopped()
      await sleep(500)
    } else await compare({ data, settings, writer, listener })
    const code = await server.stop()
    await writer.stopped()
    if (code !== 0) faults.push(`${name} ended with ${code}.`)
    const [a, b, c] = [built - begun, started - built, used - started].map((ms) => (ms / 1000).toFixed(1))
    const note = `built in ${a} s, started in ${b} s, used for ${c} s, ${writer.acknowledged - before} messages`
    console.log(`${String(index + 1).padStart(2)}  ${name.padEnd(10)}  ${note}`)
  }
}

async function compare({ data, settings, writer, listener }) {
  const heard = await listener.end(writer.newest)
  console.log(`The listener heard of ${heard.count} messages, on ${heard.queues} queues.`)
  for (const id of writer.ids())
    if (!heard.ids.has(id)) faults.push(`The listener has not heard of message ${id}.`)
  console.log(await writer.compare())
  console.log(doctor(settings))
  const url = readFileSync(join(data, 'postgres.url'), 'utf8').trim()
  const [here, blank] = await Promise.all([shapeOf(url), blankShape(url)])
  faults.push(...differences(here, blank))
  console.log(
    `The database has ${here.size} columns, keys, indexes, functions and triggers; a new one has ${blank.size}.`,
  )
}

function doctor(settings) {
  try {
    const text = execFileSync(process.execPath, [at('dist/main.js'), 'doctor'], {
      env: environmentWith(settings),
      encoding: 'utf8',
    })
    return `Doctor: ${text.split('\n').filter((line) => line.startsWith('ok')).length} findings are OK.${text
      .split('\n')
      .filter((line) => /^warn/.test(line))
      .map((line) => `\n${line}`)
      .join('')}`
  } catch (error) {
    faults.push(`doctor: ${error.stdout}`)
    return 'Doctor is not content.'
  }
}

/** The shape of a database that the present version has made. */
async function blankShape(url) {
  // The socket's address has no host, so it is none for URL.
  const address = url.replace(/\/rookery(?=\?|$)/, '/blank')
  await withDatabase(url, (client) =>
    client.query("CREATE DATABASE blank TEMPLATE template0 ENCODING 'UTF8'"),
  )
  execFileSync(process.execPath, [at('dist/main.js'), 'migrate'], {
    env: environmentWith({ ROOKERY_DATA: join(place, 'blank'), DATABASE_URL: address }),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return shapeOf(address)
}
