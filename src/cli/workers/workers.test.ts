import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import {
  metricsOf,
  metricsToken,
  newDirectory,
  personOf,
  type Server,
  startServer,
} from '../../../test/command-line.ts'
import { closeConnections } from '../../../test/http.ts'
import { Caller, type Person } from '../../../test/person.ts'
import { postmasterOf } from '../../../test/processes/server-process.ts'
import { httpLimits } from '../../http/limits.ts'
import { processStart } from '../../postgres/processes.ts'

let directory: string
let server: Server
let owner: Person

beforeAll(async () => {
  directory = await newDirectory()
  server = await start()
  owner = await personOf(server, await readFile(join(directory, 'zuliprc'), 'utf8'))
})

function start() {
  const settings = { ROOKERY_DATA: directory, ROOKERY_WORKERS: '2', ROOKERY_METRICS_TOKEN: metricsToken }
  return startServer({ ...settings, ROOKERY_LOG_LEVEL: 'info' })
}

/** The latest process of each worker, by its number. */
function workersOf({ logged }: Server): Map<number, number> {
  const lines = logged.filter(({ msg }) => String(msg).startsWith('Server listening'))
  return new Map(lines.map(({ worker, pid }) => [Number(worker), Number(pid)]))
}

/** Until it has an answer, as clients do when a connection ends. */
async function insist(ask: () => Promise<{ status: number; body: Record<string, unknown> }>) {
  for (;;) {
    const answer = await ask().catch(() => undefined)
    if (answer?.status === 200) return answer.body
    await sleep(50)
  }
}

/** Kills a worker, and waits until another has its place. */
async function replace(number: number) {
  const before = workersOf(server).get(number)!
  process.kill(before, 'SIGKILL')
  await expect.poll(() => workersOf(server).get(number)).not.toBe(before)
}

const isRunning = (pid: number) => processStart(pid) !== undefined

test('a client loses nothing, and gets nothing twice, while each worker is killed', async () => {
  const queue = { event_types: ['message'], narrow: [], all_public_streams: false }
  const { queue_id } = await insist(() => owner.post('/register', queue))
  const received: string[] = []
  const listen = async (count: number) => {
    for (let last_event_id = -1; received.length < count; ) {
      const { events } = await insist(() => owner.get('/events', { queue_id, last_event_id }))
      for (const event of events as { id: number; type: string; message?: { content: string } }[]) {
        last_event_id = event.id
        if (event.message) received.push(event.message.content)
      }
    }
  }
  const contents = Array.from({ length: 45 }, (_, i) => `message ${i}`)
  const killed: Promise<void>[] = []
  const listening = listen(contents.length)
  for (const [i, content] of contents.entries()) {
    if (i === 30) await killed[0]
    if (i === 15 || i === 30) killed.push(replace(i / 15))
    const message = { type: 'direct', to: [owner.id], content, queue_id, local_id: `${i}` }
    const { result } = await insist(() => owner.post('/messages', message))
    expect(result).toBe('success')
  }
  await Promise.all([listening, ...killed])
  expect(received).toEqual(contents)
  await expect.poll(() => server.logged.filter(({ msg }) => msg === 'the new worker serves')).toHaveLength(2)
})

test('a monitor reads the metrics of all workers, whichever it reaches', async () => {
  const text = await metricsOf(owner)
  expect(text).toMatch(
    /^process_resident_memory_bytes\{worker="1"\} \d+\nprocess_resident_memory_bytes\{worker="2"\} \d+$/m,
  )
  expect(text).toMatch(/^rookery_workers 2$/m)
  expect(text.match(/^rookery_log_position \d+$/gm)).toHaveLength(1)
  const descriptions = text.match(/^# HELP .*/gm)!
  expect(new Set(descriptions).size).toBe(descriptions.length)
})

test('requests are limited in all workers together', async () => {
  const anyone = new Caller(owner.place)
  const ask = async () => (await anyone.get('/server_settings')).status
  const limit = httpLimits.anonymousRequestsPerMinute
  // The workers share these, so that each would allow as many again if it did not hear of the other.
  const statuses = await Promise.all(Array.from({ length: limit }, ask))
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(limit / 2)
  let more = 0
  const askMore = () => {
    more++
    return ask()
  }
  await expect.poll(askMore).toBe(429)
  expect(more).toBeLessThan(limit / 4)
})

test('the server stops in order, with all its processes, and so does one whose primary is killed', async () => {
  const pids = [...workersOf(server).values(), postmasterOf(directory)]
  expect(pids.every(isRunning)).toBe(true)
  closeConnections()
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(pids.filter(isRunning)).toEqual([])
  expect(existsSync(join(directory, 'postgres/postmaster.pid'))).toBe(false)

  server = await start()
  const workers = [...workersOf(server).values()]
  expect(workers).toHaveLength(2)
  await server.stop('SIGKILL')
  await expect.poll(() => workers.filter(isRunning)).toEqual([])
})
