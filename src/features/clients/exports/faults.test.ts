import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { nodeOptions } from '../../../../scripts/bundle.mjs'
import type { Organization } from '../../../../test/organization.ts'
import { ServerProcess } from '../../../../test/processes/server-process.ts'
import { newDatabase } from '../../../../test/runner/database.ts'
import { pathsIn } from '../../../../test/stored-files.ts'
import { testServer } from '../../../../test/test-server.ts'
import type { FileStore } from '../../../adapters/files/file-store.ts'
import { localFiles } from '../../../adapters/files/local.ts'
import { connect } from '../../../db/database.ts'
import { writeArchive } from './archive.ts'
import { importArchive } from './import-archive.ts'

const directory = mkdtempSync(join(tmpdir(), 'rookery-exports-'))
const store = localFiles(join(directory, 'files'))
let failures = 0

/** A store that fails in the middle of a file for a given number of times. */
const files: FileStore = {
  ...store,
  async put(path, content) {
    if (failures === 0) return store.put(path, content)
    failures -= 1
    await new Promise((resolve) => (Buffer.isBuffer(content) ? resolve(0) : content.once('data', resolve)))
    throw new Error('the disk is full')
  },
}

const all = testServer({ adapters: { files } })

afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Adds many messages to one channel without events, with ids beyond those that the node assigns. */
async function withHistory(messages: number): Promise<Organization> {
  const org = await all.organization()
  const { recipient_id } = await org.channel()
  await sql`INSERT INTO message (realm_id, id, recipient_id, sender_id, topic, content, rendered_content,
      rendered_version, client, sent_at)
    SELECT ${org.id}, 1000000 + n, ${recipient_id}, ${org.owner.id}, 'x', repeat(md5(n::text), 10), '<p>x</p>', 1, 'test', 1
    FROM generate_series(1, ${messages}::integer) AS n`.execute(all.node.app.realms.connections.db)
  return org
}

/** Reading and writing messages waits meanwhile, so that what is to be interrupted cannot complete. */
async function whileMessagesAreLocked(url: string, act: () => Promise<void>) {
  const locker = new pg.Client({ connectionString: url })
  await locker.connect()
  try {
    await locker.query('BEGIN; LOCK TABLE message')
    await act()
  } finally {
    await locker.end()
  }
}

test('a failed export is created again, and leaves one file', async () => {
  const org = await withHistory(2_000)
  failures = 1
  await org.owner.post('/export/realm')
  const [one] = (await org.owner.get('/export/realm')).body.exports
  expect(one).toMatchObject({ pending: true })
  const exports = async () => (await org.owner.get('/export/realm')).body.exports
  await expect.poll(() => failures).toBe(0)
  all.pass(60)
  await expect.poll(async () => (await exports())[0].pending).toBe(false)
  expect(await exports()).toMatchObject([{ failed_timestamp: null, export_url: expect.any(String) }])
  const paths = await pathsIn(files, `${org.id}/exports/`)
  expect(paths).toHaveLength(1)
})

test('an export that was changed is refused as damaged, whatever finds it', async () => {
  const org = await withHistory(5)
  const file = join(directory, 'whole.tar.gz')
  const { read, db } = all.node.app.realms.connections
  const source = { read, files, realmId: org.id, scope: 'full', version: '1', now: 1 } as const
  await writeArchive(source, (content) => pipeline(content, createWriteStream(file)))
  const whole = gunzipSync(await readFile(file)).toString('latin1')
  const before = await db.selectFrom('realm').select('id').execute()
  for (const [right, wrong] of [
    ['"rendered_content":', '"rendered_konten_":'], // a column without a value
    ['"rendered_content":', '"rendered_content"x'], // no JSON, in a table
    ['"is_deactivated":', '"is_deactivated"x'], // no JSON, in the organization's own row
    ['"files":', '"files"x'], // no JSON, at the end
    ['<p>x</p>', '<p>\0</p>'], // nothing that a text may hold
  ] as const) {
    expect(whole.split(right).length, right).toBeGreaterThan(1)
    const content = Readable.from([gzipSync(Buffer.from(whole.replace(right, wrong), 'latin1'))])
    const importing = importArchive({
      databaseUrl: all.databaseUrl,
      files,
      content,
      subdomain: async () => 'copy',
      now: 1,
    })
    await expect(importing, wrong).rejects.toThrow(/^The export is damaged: /)
  }
  expect(await db.selectFrom('realm').select('id').execute()).toEqual(before)
})

test('an import that is killed leaves no organization, and can be repeated', async () => {
  const org = await withHistory(10_000)
  const file = join(directory, 'large.tar.gz')
  const { read } = all.node.app.realms.connections
  const source = { read, files, realmId: org.id, scope: 'full', version: '1', now: 1 } as const
  await writeArchive(source, (content) => pipeline(content, createWriteStream(file)))
  const database = await newDatabase()
  const there = connect(database.url, 2)
  const start = () => {
    const env = { ...process.env, DATABASE_URL: database.url, ROOKERY_DATA: join(directory, 'there') }
    const child = spawn(process.execPath, [...nodeOptions, inject('program'), 'import', file], { env })
    return { child, ended: new Promise<number | null>((resolve) => child.once('exit', resolve)) }
  }
  try {
    const written = '%INTO "message"%'
    // This query does not find itself: it has the words as a parameter.
    const writers = () =>
      there.read.rows(sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE ${written}`)
    await whileMessagesAreLocked(database.url, async () => {
      const first = start()
      await expect.poll(writers, { timeout: 40_000, interval: 20 }).toHaveLength(1)
      first.child.kill('SIGKILL')
      expect(await first.ended).toBe(null)
    })
    await expect.poll(writers, { interval: 20 }).toEqual([])
    expect(await there.read.selectFrom('realm').select('id').execute()).toEqual([])
    expect(await start().ended).toBe(0)
    const [counted] = await there.read.rows(sql<{ count: number }>`SELECT count(*) FROM message`)
    expect(counted!.count).toBe(10_000)
  } finally {
    await there.close()
    await database.drop()
  }
})

test('an export whose server is killed is completed by the next one', async () => {
  const server = await ServerProcess.create()
  const exportsIn = (folder: string) => readdir(join(server.directory, 'uploads', folder)).catch(() => [])
  try {
    const owner = await server.owner()
    const database = connect(server.databaseUrl, 2)
    await whileMessagesAreLocked(server.databaseUrl, async () => {
      await owner.post('/export/realm')
      await expect.poll(() => exportsIn('.unfinished'), { interval: 20 }).toHaveLength(1)
      await server.kill()
    })
    expect(await exportsIn('1/exports')).toEqual([])
    // The claim of the dead server is released here; a little later the next server would do so by itself.
    await sql`UPDATE job SET leased_until = 0`.execute(database.db)
    await database.close()
    await server.start()
    const current = async () => (await owner.get('/export/realm')).body.exports[0]
    await expect.poll(async () => (await current()).pending, { timeout: 30_000, interval: 200 }).toBe(false)
    expect(await current()).toMatchObject({ failed_timestamp: null, export_url: expect.any(String) })
    expect(await exportsIn('1/exports')).toHaveLength(1)
    // The first attempt leaves nothing behind.
    expect(await exportsIn('.unfinished')).toEqual([])
  } finally {
    await server.remove()
  }
})
