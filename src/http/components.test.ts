import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Answer } from '../../test/http.ts'
import { sendFiles } from '../../test/pictures.ts'
import { testServer } from '../../test/test-server.ts'
import type { FileStore } from '../adapters/files/file-store.ts'
import { localFiles } from '../adapters/files/local.ts'
import { unavailable } from '../lib/component.ts'

// A failure of an external service is a 503 that names it, in the response and in the log.

const lines: string[] = []
const directory = mkdtempSync(join(tmpdir(), 'rookery-components-'))
const files = { ...localFiles(join(directory, 'uploads')) }
const all = testServer({ log: (line) => lines.push(line), adapters: { files } })

beforeEach(() => {
  lines.length = 0
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Returns the log lines that name a component, under the id of this response. */
function loggedFor({ headers }: Answer) {
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return logged.filter(({ reqId, component }) => reqId === headers['x-request-id'] && component !== undefined)
}

function expectToName(answer: Answer, component: string, reason: string) {
  const msg = `The ${component} is not available. Try again in a moment.`
  expect(answer).toMatchObject({
    status: 503,
    body: { code: 'SERVER_NOT_READY', msg },
    headers: { 'retry-after': '1' },
  })
  expect(loggedFor(answer)).toMatchObject([{ level: 40, component, msg: expect.stringContaining(reason) }])
}

/** Runs statements on the server of the database, from another one of its databases. */
async function onServer(...statements: string[]) {
  const url = new URL(all.databaseUrl.replace('@/', '@localhost/'))
  const own = url.pathname.slice(1)
  const client = new pg.Client({ connectionString: all.databaseUrl.replace(`/${own}`, '/postgres') })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement.replaceAll('{own}', own))
  } finally {
    await client.end()
  }
}

const endSessions = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{own}'"

test.each([
  [
    'takes no changes',
    '25006',
    ['ALTER DATABASE "{own}" SET default_transaction_read_only = on'],
    ['ALTER DATABASE "{own}" RESET default_transaction_read_only'],
  ],
  [
    'takes no connections',
    '55000',
    ['ALTER DATABASE "{own}" ALLOW_CONNECTIONS false'],
    ['ALTER DATABASE "{own}" ALLOW_CONNECTIONS true'],
  ],
])('a database that %s', async (_, state, doIt, undoIt) => {
  const { owner } = await all.organization()
  const send = () => owner.post('/messages', { type: 'direct', to: [owner.id], content: 'hello' })
  expect((await send()).status).toBe(200)
  await onServer(...doIt, endSessions)
  // The first ones may find a connection that has just ended.
  let answer = await send()
  await expect
    .poll(async () => {
      answer = await send()
      return JSON.stringify(loggedFor(answer))
    })
    .toContain(state)
  expectToName(answer, 'database', state)
  await onServer(...undoIt, endSessions)
  await expect.poll(async () => (await send()).status).toBe(200)
})

test('a table that is not there', async () => {
  const { owner } = await all.organization()
  const client = new pg.Client({ connectionString: all.databaseUrl })
  await client.connect()
  await client.query('ALTER TABLE draft RENAME TO draft_away')
  const answer = await owner.get('/drafts')
  await client.query('ALTER TABLE draft_away RENAME TO draft')
  await client.end()
  expectToName(answer, 'database', '42P01')
})

/** Replaces parts of the store for one upload. */
async function uploadTo(store: Partial<FileStore>): Promise<Answer> {
  const { owner } = await all.organization()
  const before = { ...files }
  Object.assign(files, store)
  try {
    return await sendFiles(owner, 'POST', '/user_uploads', [{ content: Buffer.alloc(100_000, 'a') }])
  } finally {
    Object.assign(files, before)
  }
}

test('a disk that is full', async () => {
  const full: Partial<FileStore> = {
    async receive(content) {
      await pipeline(content, createWriteStream('/dev/full'))
      throw new Error('There was room.')
    },
  }
  expectToName(await uploadTo(full), 'file store', 'ENOSPC')
})

test('a disk without room is found before a file is to be stored', async () => {
  // There, this file system has no room at any time.
  await expect(localFiles('/proc').check()).rejects.toThrow(
    process.getuid?.() === 0 ? 'file store' : 'EACCES',
  )
})

test('a file where the directory for files should be, and its end', async () => {
  const place = join(directory, 'file')
  writeFileSync(place, 'in the way')
  const store = localFiles(place)
  expectToName(await uploadTo(store), 'file store', 'ENOTDIR')
  rmSync(place)
  expect((await uploadTo(store)).status).toBe(200)
  rmSync(place, { recursive: true })
  expectToName(await uploadTo(store), 'file store', 'ENOENT')
  expect((await uploadTo(store)).status).toBe(200)
})

test('a store that names itself', async () => {
  const away: Partial<FileStore> = {
    receive: () =>
      Promise.reject(unavailable('file store', new Error('S3 answered PUT /files with 404: NoSuchBucket'))),
  }
  expectToName(await uploadTo(away), 'file store', 'NoSuchBucket')
})

test('a name that is taken in the eyes of the database alone is refused', async () => {
  const { owner } = await all.organization()
  // As in a database of another locale, which holds more names for the same.
  const client = new pg.Client({ connectionString: all.databaseUrl })
  await client.connect()
  await client.query(
    `CREATE UNIQUE INDEX alike ON channel (realm_id, left(name, 5)) WHERE name LIKE 'alike%'`,
  )
  await client.end()
  const subscribe = (name: string) => owner.post('/users/me/subscriptions', { subscriptions: [{ name }] })
  expect((await subscribe('alike 1')).status).toBe(200)
  expect(await subscribe('alike 2')).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
})
