import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { localFiles } from '../../src/adapters/files/local.ts'
import { safeFetch } from '../../src/adapters/safe-fetch.ts'
import { buildApp } from '../../src/app.ts'
import { Secrets } from '../../src/lib/secrets/sealed.ts'

// A node in a process of its own, which measures the longest time that its event loop was busy without a pause. What
// counts is the processor's time, so that other processes on the machine do not matter.

const [, , databaseUrl] = process.argv

/** Returns the milliseconds that this thread has used the processor, on Linux; elsewhere, the time that has passed. */
function processorTime(): number {
  if (process.platform !== 'linux') return performance.now()
  return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6
}

let before = processorTime()
let longest = 0

setInterval(() => {
  const now = processorTime()
  longest = Math.max(longest, now - before)
  before = now
}, 1)

/** Returns how long a fixed piece of work takes here: the best of several runs. */
function unit(): number {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Person ${id}`, is_active: true }))
  const times = Array.from({ length: 7 }, () => {
    const start = processorTime()
    JSON.parse(JSON.stringify(rows))
    return processorTime() - start
  })
  return Math.min(...times)
}

const files = localFiles(join(tmpdir(), 'rookery-files'))
const app = buildApp({
  databaseUrl: databaseUrl!,
  databaseConnections: 10,
  site: {
    publicUrl: new URL('http://chat.test'),
    version: '0.1.0',
    startedAt: Math.floor(Date.now() / 1000),
    webPublicChannels: true,
    linkPreviews: true,
    embeddedBots: true,
    uploadQuotaMib: undefined,
    secrets: new Secrets('the secret of all nodes of a test'),
    clock: () => Math.floor(Date.now() / 1000),
  },
  adapters: { files, fetch: safeFetch(), webhookFetch: safeFetch() },
  logger: pino({ level: 'error' }),
  rateLimits: false,
  trustProxy: false,
  queueIdleSeconds: 600,
  logDays: 7,
})

process.on('message', async (message) => {
  if (message === 'begin') longest = 0
  // After the due work, so that a loop that is busy now is counted.
  if (message === 'end') setTimeout(() => process.send!({ longest }), 5)
  if (message === 'stop') await app.close().then(() => process.exit())
})

const address = await app.http.listen({ host: '127.0.0.1', port: 0 })
process.send!({ port: Number(new URL(address).port), unit: unit() })
