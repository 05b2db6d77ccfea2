// Runs two versions on one database: builds a revision of this repository, starts it with a PostgreSQL of its own, and beside it what is
// checked out here, which brings the database up to date. People write through both, and a client listens at each. No send may fail, no
// error may be logged, and each client must hear of every message once and in order, without registering again.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { at } from './sources.mjs'
import { listen } from './upgrades/listener.mjs'
import { build, builtVersion, call, freePort, ownerOf, startServer, stopServers } from './versions.mjs'

const usage = `npm run test:adjacent -- REVISION [--seconds 5] [--rate 200]

REVISION      the older version, such as HEAD~20
--seconds N   how long both run
--rate N      sends per second, half of them through each version
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    rate: { type: 'string', default: '200' },
  },
})
const [revision] = positionals
if (!revision) {
  console.error(usage)
  process.exit(2)
}
const place = mkdtempSync(join(tmpdir(), 'rookery-adjacent-'))
const faults = []
try {
  const older = builtVersion(revision)
  build(at())
  await trial(older, Number(values.seconds), Number(values.rate))
} finally {
  await stopServers()
  rmSync(place, { recursive: true, force: true })
}
for (const fault of faults.slice(0, 20)) console.log(`FAULT  ${fault}`)
console.log(faults.length === 0 ? 'Both versions serve, and nothing is lost.' : `${faults.length} faults.`)
process.exitCode = faults.length === 0 ? 0 : 1

async function trial(older, seconds, rate) {
  const tell = (name) => (text) => faults.push(`${name}: ${text}`)
  const data = join(place, 'data')
  const first = await startServer(
    older,
    { PORT: String(await freePort()), ROOKERY_DATA: data },
    tell('The older version logged'),
  )
  const owner = await ownerOf(data)
  const atOlder = write(first.api, owner, rate / 2)
  const listeners = [listen(first.api, owner, tell('At the older version'))]
  await sleep(1_000)
  const settings = {
    PORT: String(await freePort()),
    ROOKERY_DATA: join(place, 'data-of-newer'),
    DATABASE_URL: readFileSync(join(data, 'postgres.url'), 'utf8').trim(),
    ROOKERY_SECRET: readFileSync(join(data, 'secret'), 'utf8').trim(),
  }
  const second = await startServer(at(), settings, tell('The newer version logged'))
  const before = atOlder.sent.length
  listeners.push(listen(second.api, owner, tell('At the newer version')))
  const atNewer = write(second.api, owner, rate / 2)
  await sleep(seconds * 1_000)
  const writers = { older: atOlder, newer: atNewer }
  for (const [name, writer] of Object.entries(writers)) {
    await writer
      .stop()
      .catch((error) => faults.push(`A send through the ${name} version failed: ${error.message}`))
    console.log(`The ${name} version acknowledged ${writer.sent.length} messages; ${latencies(writer.sent)}.`)
  }
  const ids = [...atOlder.sent, ...atNewer.sent].map(({ id }) => id)
  console.log(`${before} of them were sent before the newer version ran, and the rest in ${seconds} s.`)
  for (const [index, listener] of listeners.entries()) {
    const heard = await listener.end(Math.max(...ids))
    const name = Object.keys(writers)[index]
    const missing = ids.filter((id) => !heard.ids.has(id))
    console.log(
      `The client at the ${name} version heard of ${heard.count} messages, on ${heard.queues} queue.`,
    )
    if (missing.length > 0)
      faults.push(`The client at the ${name} version has not heard of ${missing.length} messages.`)
    if (heard.queues !== 1)
      faults.push(`The client at the ${name} version had to register ${heard.queues} times.`)
  }
}

/** Sends at a steady rate, on eight connections. */
function write(api, { authorization }, rate) {
  const sent = []
  let isOver = false
  const form = { type: 'channel', to: '"general"', topic: 'both', content: 'hello' }
  const work = async (number) => {
    const begun = performance.now()
    for (let i = 0; !isOver; i++) {
      const due = begun + ((i * connections + number) * 1_000) / rate
      await sleep(Math.max(0, due - performance.now()))
      const asked = performance.now()
      const { id } = await call(`${api}/messages`, authorization, form)
      sent.push({ id, latency: performance.now() - asked })
    }
  }
  const connections = 8
  const all = Promise.all(Array.from({ length: connections }, (_, number) => work(number)))
  // The first error is reported when the writer is stopped.
  all.catch(() => {})
  return {
    sent,
    stop() {
      isOver = true
      return all
    },
  }
}

function latencies(sent) {
  const sorted = sent.map(({ latency }) => latency).sort((a, b) => a - b)
  const part = (share) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)} ms`
  return `half of them within ${part(0.5)}, 99 of 100 within ${part(0.99)}`
}
