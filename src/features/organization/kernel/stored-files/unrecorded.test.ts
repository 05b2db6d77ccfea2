import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import type { Organization } from '../../../../../test/organization.ts'
import { look, png, sendFiles } from '../../../../../test/pictures.ts'
import { pathsIn } from '../../../../../test/stored-files.ts'
import { testServer } from '../../../../../test/test-server.ts'
import type { FileStore } from '../../../../adapters/files/file-store.ts'
import { localFiles } from '../../../../adapters/files/local.ts'
import { backupLock } from '../../../../db/backup-lock.ts'
import { tableShapes } from '../../../../db/catalog.ts'
import { jobLimits } from '../../../../jobs/limits.ts'
import { tablesWithFiles } from '../../../clients/kernel/stored-files/files-of-rows.ts'
import { storedFileLimits } from './limits.ts'

const directory = mkdtempSync(join(tmpdir(), 'rookery-unrecorded-'))
const store = localFiles(directory)
let breaks = false

/** A store that loses its response on request: the file is stored, and the request fails. */
const files: FileStore = {
  ...store,
  async receive(content) {
    const incoming = await store.receive(content)
    return { ...incoming, keep: (path) => incoming.keep(path).then(loseAnswer) }
  },
  put: (path, content) => store.put(path, content).then(loseAnswer),
}

const all = testServer({ adapters: { files } })

afterAll(() => rmSync(directory, { recursive: true, force: true }))

function loseAnswer<T>(answer: T): T {
  if (breaks) throw new Error('the connection to the store is lost')
  return answer
}

async function stored({ id }: Organization) {
  return pathsIn(files, `${id}/`)
}

async function noted({ id }: Organization) {
  const { read } = all.node.app.realms.connections
  return read.rows(sql`SELECT path FROM unrecorded_file WHERE realm_id = ${id}`)
}

test.each([
  ['an upload', '/user_uploads'],
  ['an avatar', '/users/me/avatar'],
  ['an emoji', '/realm/emoji/lost'],
  ['an icon', '/realm/icon'],
])('%s that was stored and never recorded is removed later', async (_, path) => {
  const org = await all.organization()
  breaks = true
  const { status } = await sendFiles(org.owner, 'POST', path, [{ content: await png() }])
  breaks = false
  expect(status).toBe(500)
  expect(await stored(org)).not.toEqual([])
  all.pass(storedFileLimits.unrecordedFileSeconds)
  await expect.poll(() => stored(org)).toEqual([])
  await expect.poll(() => noted(org)).toEqual([])
})

test('recorded files stay, and are no longer listed as unrecorded', async () => {
  const org = await all.organization()
  const sent = [{ content: await png() }]
  const { url } = (await sendFiles(org.owner, 'POST', '/user_uploads', sent)).body
  const { avatar_url } = (await sendFiles(org.owner, 'POST', '/users/me/avatar', sent)).body
  expect(await noted(org)).toEqual([])
  all.pass(2 * storedFileLimits.unrecordedFileSeconds)
  // The next abandoned file makes the job run again.
  const replaced = (await sendFiles(org.owner, 'POST', '/realm/icon', sent)).body.icon_url
  await org.owner.delete('/realm/icon')
  await expect.poll(() => noted(org)).toEqual([])
  expect((await look(org.owner, replaced)).status).toBe(404)
  expect((await look(org.owner, url)).status).toBe(200)
  expect((await look(org.owner, avatar_url)).status).toBe(200)
})

test('files stay while a backup copies the store', async () => {
  const org = await all.organization()
  await sendFiles(org.owner, 'POST', '/realm/icon', [{ content: await png() }])
  const client = new pg.Client({ connectionString: all.databaseUrl })
  await client.connect()
  await client.query('SELECT pg_advisory_lock($1)', [backupLock])
  await org.owner.delete('/realm/icon')
  await all.workOff()
  expect(await stored(org)).not.toEqual([])
  await client.query('SELECT pg_advisory_unlock_all()')
  await client.end()
  all.pass(jobLimits.heldRemovalSeconds)
  await expect.poll(() => stored(org)).toEqual([])
})

test('cleaning up skips files of an import that is running', async () => {
  const incoming = await files.receive(Readable.from([Buffer.from('coming')]))
  await files.tidy()
  await incoming.keep('1/uploads/00/coming')
  expect(await text((await files.open('1/uploads/00/coming'))!.content)).toBe('coming')
  await files.remove('1/uploads/00/coming')
})

test('every column that contains file names is covered by the list of files of rows', async () => {
  const { read } = all.node.app.realms.connections
  const named = (await tableShapes(read)).flatMap(({ name, columns }) =>
    columns.filter((column) => /(^|_)file$/.test(column)).map((column) => `${name}.${column}`),
  )
  const known = Object.entries(tablesWithFiles).flatMap(([table, { columns }]) =>
    columns.map((column) => `${table}.${column}`),
  )
  expect(known).toEqual(expect.arrayContaining(named))
})
