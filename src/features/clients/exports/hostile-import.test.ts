import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, test } from 'vitest'
import { rewrittenArchive } from '../../../../test/imports/archives.ts'
import { sendFiles } from '../../../../test/pictures.ts'
import { testServer } from '../../../../test/test-server.ts'
import { writeArchive } from './archive.ts'
import type { Manifest } from './format.ts'
import { importArchive } from './import-archive.ts'

// An operator may import an organization of people whom the others on the server do not know. Its file may say anything.

const all = testServer()
const directory = mkdtempSync(join(tmpdir(), 'rookery-hostile-'))
let count = 0

afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Returns two organizations, and the path of an upload of the second one. */
async function neighbors() {
  const [hostile, other] = [await all.organization(), await all.organization()]
  const send = (who: typeof other) =>
    sendFiles(who.owner, 'POST', '/user_uploads', [{ name: 'plans.txt', content: Buffer.from('secret') }])
  await send(hostile)
  const url: string = (await send(other)).body.url
  return { hostile, other, path: url.replace('/user_uploads/', '') }
}

type Change = {
  manifest?: (manifest: Manifest) => void
  table?: string
  row?: (row: Row) => void
  rows?: Row[]
}
type Row = Record<string, unknown>

/** Imports an organization beside itself from its export, with something changed. */
async function importChanged(realmId: number, change: Change) {
  const file = join(directory, `${++count}.tar.gz`)
  const { read } = all.node.app.realms.connections
  const source = { read, files: all.adapters.files, realmId, scope: 'full', version: '1', now: 1 } as const
  await writeArchive(source, (content) => pipeline(content, createWriteStream(file)))
  const content = createReadStream(await changed(file, change))
  const { databaseUrl, adapters } = all
  const subdomain = async () => `hostile${count}`
  return importArchive({ databaseUrl, files: adapters.files, content, subdomain, now: 1 })
}

function changed(file: string, { manifest, table, row, rows }: Change): Promise<string> {
  return rewrittenArchive(file, (name, content) => {
    if (name === `tables/${table}.ndjson`) return { [name]: eachLine(content, row) }
    if (name !== 'manifest.json') return { [name]: content }
    const value = JSON.parse(content)
    manifest?.(value)
    const first = { [name]: JSON.stringify(value) }
    return rows ? { ...first, [`tables/${table}.ndjson`]: JSON.stringify(rows[0]) } : first
  })
}

function eachLine(content: string, change: (row: Row) => void = () => {}) {
  const rows = content
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
  for (const row of rows) change(row)
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

test('an import cannot use up the numbers that all organizations share', async () => {
  const { hostile, other } = await neighbors()
  for (const [table, column, number] of [
    ['account', 'id', 2 ** 31 - 1],
    ['audit_entry', 'id', Number.MAX_SAFE_INTEGER],
  ] as const) {
    const manifest = ({ tables }: Manifest) => {
      tables.find(({ name }) => name === table)!.highest[column] = number
    }
    await expect(importChanged(hostile.id, { manifest })).rejects.toThrow(
      `no organization has numbers as high as its ${table}.${column}`,
    )
  }
  const manifest = ({ organization }: Manifest) => {
    organization.id = 2 ** 31 - 1
  }
  await expect(importChanged(hostile.id, { manifest })).rejects.toThrow('numbers as high as its realm.id')
  expect((await other.person()).id).toBeLessThan(1_000_000)
})

test('an import cannot claim an upload of another organization', async () => {
  const { hostile, other, path } = await neighbors()
  const row = (row: Row) => {
    row.path = path
  }
  const importing = importChanged(hostile.id, { table: 'attachment', row })
  await expect(importing).rejects.toThrow(`${path} is no upload of the organization`)
  for (const wrong of [
    `${hostile.id}/../${path}`,
    `${hostile.id}/ab/../x`,
    `${hostile.id}/x`,
    '/etc/passwd',
  ]) {
    const row = (row: Row) => {
      row.path = wrong
    }
    await expect(importChanged(hostile.id, { table: 'attachment', row }), wrong).rejects.toThrow(
      'is no upload',
    )
  }
  expect((await other.owner.raw({ method: 'GET', path: `/user_uploads/${path}` })).text).toBe('secret')
})

test('an import has only tables that exports have', async () => {
  const { hostile } = await neighbors()
  const rows = [{ path: '1/uploads/ab/secret', remove_at: 0 }]
  const manifest = ({ tables }: Manifest) => {
    tables.unshift({
      name: 'unrecorded_file',
      columns: ['path', 'remove_at'],
      rows: 1,
      bytes: 1,
      highest: {},
    })
  }
  const importing = importChanged(hostile.id, { manifest, table: 'unrecorded_file', rows })
  await expect(importing).rejects.toThrow('no export has rows of unrecorded_file')
})

test('an import cannot pass itself off as another organization', async () => {
  const { hostile, other } = await neighbors()
  const { uuid } = other.state.row
  const row = (row: Row) => {
    row.uuid = uuid
  }
  const { realmId } = await importChanged(hostile.id, { table: 'realm', row })
  const { db } = all.node.app.realms.connections
  const found = await db.selectFrom('realm').where('uuid', '=', uuid).select('id').execute()
  expect(found).toEqual([{ id: other.id }])
  expect(realmId).not.toBe(other.id)
})
