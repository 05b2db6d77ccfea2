import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { EventStream } from '../../test/event-stream.ts'
import { newOrganization } from '../../test/organization.ts'
import { Caller } from '../../test/person.ts'
import { DatabaseLine } from '../../test/programs/database-line.ts'
import { newDatabase } from '../../test/runner/database.ts'
import { type Node, startNode, testServer } from '../../test/test-server.ts'
import { localFiles } from '../adapters/files/local.ts'
import { allEndpoints } from '../features/index.ts'
import { unavailable } from '../lib/component.ts'
import { createMetrics } from './metrics.ts'

const token = 'token-of-the-monitor'
const authorization = `Bearer ${token}`
const dataDirectory = mkdtempSync(join(tmpdir(), 'rookery-metrics-'))
const files = localFiles(join(dataDirectory, 'uploads'))
const monitoring = { metrics: await createMetrics(), token, dataDirectory }
const all = testServer({ monitoring, adapters: { files } })
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }))

function ask(headers: Record<string, string> = { authorization }, node: Node = all.node, method = 'GET') {
  return new Caller({ port: node.port, host: 'by.address' }).raw({ method, path: '/metrics', headers })
}

/** Returns the value of a metric with these labels, as they are written; undefined if there is none. */
async function value(name: string, node: Node = all.node): Promise<number | undefined> {
  const line = (await ask({ authorization }, node)).text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

test('only a monitor with the token reads the metrics, on any host name', async () => {
  const { status, headers, text } = await ask()
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ])
  expect(text).toMatch(/^process_resident_memory_bytes \d/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
  expect(text).toMatch(/^rookery_build_info\{version="[^"]+"\} 1$/m)
  const others: Record<string, string>[] = [
    {},
    { authorization: 'Bearer guess' },
    { authorization: `Basic ${token}` },
  ]
  for (const wrong of others) {
    const refused = await ask(wrong)
    expect(refused).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(refused.text).not.toContain('rookery_')
  }
  expect((await ask({ authorization }, all.node, 'POST')).status).toBe(405)
})

test('a server without a monitor has no metrics', async () => {
  const node = await startNode(all.databaseUrl)
  expect((await ask({ authorization }, node)).status).toBe(404)
  await node.close()
})

test('requests are counted by operation and status, never by what a client has chosen', async () => {
  const { owner, visitor } = await all.organization()
  await owner.get(`/users/${owner.id}`)
  await owner.get('/users/999999')
  await visitor.get('/users/me')
  await visitor.raw({ method: 'GET', path: '/chosen/by/me' })
  await visitor.raw({ method: 'PATCH', path: '/api/v1/users/me/presence' })
  const of = (operation: string, status: number) =>
    value(`rookery_http_requests_total{operation="${operation}",status="${status}"}`)
  expect(await of('GET /users/{user_id}', 200)).toBe(1)
  expect(await of('GET /users/{user_id}', 400)).toBe(1)
  expect(await of('GET /users/me', 401)).toBe(1)
  expect(await of('unknown path', 404)).toBe(1)
  expect(await of('other', 405)).toBe(1)
  expect(await value('rookery_http_request_duration_seconds_count{operation="GET /users/{user_id}"}')).toBe(2)
  const { text } = await ask()
  const declared = allEndpoints.map(({ method, path }) => `${method} ${path}`)
  const named = [...text.matchAll(/operation="([^"]*)"/g)].map(([, name]) => name)
  expect(named.filter((name) => ![...declared, 'other', 'unknown path'].includes(name!))).toEqual([])
  expect(text).not.toContain('chosen')
  expect(text).not.toContain(owner.email)
})

test('sends, deliveries, and the clients that wait are measured', async () => {
  const { owner } = await all.organization()
  const before = {
    sends: (await value('rookery_send_duration_seconds_count'))!,
    deliveries: (await value('rookery_delivery_duration_seconds_count'))!,
    queues: (await value('rookery_event_queues'))!,
  }
  const [client, other] = [await owner.register(), await owner.register()]
  const polling = client.next()
  const stream = new EventStream(owner, other.queueId, { lastEventId: other.state.last_event_id })
  await expect.poll(() => value('rookery_open_polls')).toBe(1)
  await expect.poll(() => value('rookery_open_streams')).toBe(1)
  expect(await value('rookery_event_queues')).toBe(before.queues + 2)
  await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'hello' })
  expect(await polling).toMatchObject([{ type: 'message' }])
  expect(await value('rookery_send_duration_seconds_count')).toBe(before.sends + 1)
  await expect.poll(() => value('rookery_delivery_duration_seconds_count')).toBeGreaterThan(before.deliveries)
  expect(await value('rookery_open_polls')).toBe(0)
  // A request that waits says nothing about the time that requests take.
  expect((await ask()).text).not.toContain('duration_seconds_count{operation="GET /events"}')
  await stream.close()
  await expect.poll(() => value('rookery_open_streams')).toBe(0)
})

test('logins are counted by method and outcome', async () => {
  const { owner, visitor } = await all.organization()
  const of = (outcome: string, method = 'Email') =>
    value(`rookery_logins_total{method="${method}",outcome="${outcome}"}`)
  const logIn = (password: string) => visitor.post('/fetch_api_key', { username: owner.email, password })
  expect((await logIn('correct horse')).status).toBe(200)
  for (const guess of ['a', 'b', 'c']) expect((await logIn(guess)).status).toBe(401)
  expect([await of('accepted'), await of('refused')]).toEqual([1, 3])
  const wrongKey = {
    authorization: `Basic ${Buffer.from(`${owner.email}:${'x'.repeat(32)}`).toString('base64')}`,
  }
  const before = (await of('refused', 'API key')) ?? 0
  expect((await visitor.get('/users/me', {}, { headers: wrongKey })).status).toBe(401)
  expect(await of('refused', 'API key')).toBe(before + 1)
})

test('mails and jobs that wait have their age', async () => {
  const { owner, visitor } = await all.organization()
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: `http://${owner.place.host}` }
  const body = `email=${encodeURIComponent(owner.email)}`
  await visitor.raw({ method: 'POST', path: '/accounts/password/reset', headers: form, body })
  const waiting = await value('rookery_mails{state="waiting"}')
  expect(waiting).toBeGreaterThan(0)
  all.pass(3600)
  expect(await value('rookery_mails_oldest_waiting_seconds')).toBeGreaterThanOrEqual(3600)
  expect(await value('rookery_jobs_waiting{kind="mail"}')).toBe(waiting)
  expect(await value('rookery_jobs_oldest_seconds{kind="mail"}')).toBeGreaterThanOrEqual(3600)
  expect(await value('rookery_pushes_waiting')).toBe(0)
})

test('the log, connections and the clocks are measured', async () => {
  const { owner, log } = await all.organization()
  await owner.post('/messages', { type: 'direct', to: [owner.id], content: 'hello' })
  expect(await value('rookery_log_position')).toBeGreaterThanOrEqual(log.state.position)
  expect(await value('rookery_log_behind_entries')).toBe(0)
  expect(await value('rookery_log_behind_seconds')).toBeLessThan(15)
  expect(Math.abs((await value('rookery_clock_skew_seconds'))!)).toBeLessThan(1)
  // The node does work of its own, too.
  await expect.poll(() => value('rookery_database_connections{pool="read",state="idle"}')).toBeGreaterThan(0)
  await expect.poll(() => value('rookery_database_connections_waiting{pool="write"}')).toBe(0)
  expect(await value('rookery_http_connections')).toBeGreaterThan(0)
  expect(await value('rookery_disk_free_bytes{disk="data"}')).toBeGreaterThan(0)
})

test('the checks and the failures of components are counted', async () => {
  const failures = 'rookery_failures_total{component="file store"}'
  expect(await value('rookery_health_check{check="file_store"}')).toBe(1)
  const before = (await value(failures)) ?? 0
  const { check } = files
  files.check = () => Promise.reject(unavailable('file store', new Error('the disk is away')))
  await expect.poll(() => value('rookery_health_check{check="file_store"}')).toBe(0)
  expect(await value(failures)).toBeGreaterThan(before)
  expect(await value('rookery_health_check{check="database"}')).toBe(1)
  files.check = check
  await expect.poll(() => value('rookery_health_check{check="file_store"}')).toBe(1)
})

test('the last backup is told, and a damaged note of it is none', async () => {
  const note = join(dataDirectory, 'backup.json')
  const backup = 'rookery_last_backup_timestamp_seconds{kind="full"}'
  expect(await value(backup)).toBeUndefined()
  writeFileSync(note, '{"finished_at":"2026-01-02T03:04:05Z","kind":"full"}')
  expect(await value(backup)).toBe(Date.parse('2026-01-02T03:04:05Z') / 1000)
  writeFileSync(note, '{"finished_at":')
  expect((await ask()).text).not.toContain('rookery_last_backup_timestamp_seconds{')
})

test('without its database a node tells the rest, and no numbers of before', async () => {
  const database = await newDatabase()
  const line = await DatabaseLine.to(database.url)
  const metrics = await createMetrics()
  const node = await startNode(line.url, { monitoring: { metrics, token } })
  try {
    await expect.poll(() => value('rookery_log_position', node)).toBe(0)
    await line.close()
    await expect.poll(() => value('rookery_log_position', node)).toBeUndefined()
    await expect.poll(() => value('rookery_health_check{check="database"}', node)).toBe(0)
    expect(await value('rookery_open_polls', node)).toBe(0)
  } finally {
    await node.close()
    await database.drop()
  }
})

test('while one of several databases does not respond, a node tells what is in the others', async () => {
  const [database, second] = [await newDatabase(), await newDatabase()]
  const metrics = await createMetrics(undefined, 0.2)
  const node = await startNode(database.url, {
    databases: new Map([['second', second.url]]),
    monitoring: { metrics, token },
  })
  const client = new pg.Client({ connectionString: second.url })
  try {
    await client.connect()
    await expect.poll(() => value('rookery_database_answers{database="second"}', node)).toBe(1)
    await newOrganization(node, 'here')
    await newOrganization(node, 'there', 'second')
    await expect.poll(() => value('rookery_organizations_loaded', node)).toBe(2)
    await client.query('BEGIN; LOCK TABLE realm IN ACCESS EXCLUSIVE MODE')
    await expect.poll(() => value('rookery_database_answers{database="second"}', node)).toBe(0)
    await expect.poll(() => value('rookery_organizations_loaded', node)).toBe(1)
  } finally {
    await client.end()
    await node.close()
    for (const { drop } of [database, second]) await drop()
  }
})

test('the dashboard, the alert rules and the guide name metrics that exist, and the guide all of ours', async () => {
  const { text } = await ask()
  const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
  const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
  const guide = await read('docs/guide/monitoring.md')
  const files = [
    guide,
    await read('deploy/monitoring/grafana.json'),
    await read('deploy/monitoring/alerts.yml'),
  ]
  const named = files.flatMap((file) => file.match(/\b(rookery|nodejs|process)_\w+/g) ?? [])
  const metricOf = (name: string) => name.replace(/_(bucket|count)$/, '')
  expect(named.filter((name) => !known.has(metricOf(name)))).toEqual([])
  const ours = [...known].filter((name) => name.startsWith('rookery_'))
  expect(ours.filter((name) => !guide.includes(name))).toEqual([])
})
