import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { rewrittenArchive } from '../../../../test/imports/archives.ts'
import { newDatabase } from '../../../../test/runner/database.ts'
import { testServer } from '../../../../test/test-server.ts'
import { localFiles } from '../../../adapters/files/local.ts'
import { type Connections, connect } from '../../../db/database.ts'
import { writeArchive } from './archive.ts'
import type { Manifest } from './format.ts'
import { importArchive } from './import-archive.ts'

const all = testServer()
const directory = mkdtempSync(join(tmpdir(), 'rookery-older-'))

afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('an export of an older version is imported through its own tables and the later migrations', async () => {
  const org = await all.organization()
  await org.channel({ subscribers: [org.owner] })
  await org.owner.post('/messages', { type: 'direct', to: [org.owner.id], content: 'from before' })
  await org.owner.post('/invites', { invitee_emails: 'new@example.com', invite_as: 400, stream_ids: '[]' })
  const { read } = all.node.app.realms.connections
  const file = await rewritten(await exported(org.id), (manifest) => {
    const older = manifest.schema.slice(0, manifest.schema.indexOf('0025_sealed_links'))
    // 0025 puts the column `sealed` in place of this one.
    const known = manifest.tables.filter(({ name }) => name !== laterTable)
    const tables = known.map((table) =>
      table.name === 'invitation'
        ? { ...table, columns: table.columns.map((name) => (name === 'sealed' ? 'link_key' : name)) }
        : table,
    )
    return { ...manifest, schema: older, tables, made_by: '0.0.1' }
  })
  const database = await newDatabase()
  const there = connect(database.url, 2)
  try {
    const files = localFiles(join(directory, 'files'))
    const content = createReadStream(file)
    const done = await importArchive({
      databaseUrl: database.url,
      files,
      content,
      subdomain: async () => 'old',
      now: 1,
    })
    expect(done.manifest.made_by).toBe('0.0.1')
    for (const table of [
      'account',
      'channel',
      'subscription',
      'message',
      'invitation',
      'user_group',
      'credential',
    ]) {
      const rows = await rowsOf(there, table, done.realmId)
      expect(rows.length, table).toBeGreaterThan(0)
      expect(rows, table).toEqual(await rowsOf({ read }, table, org.id))
    }
    const left = await there.read.rows(sql`SELECT FROM pg_namespace WHERE nspname LIKE 'rookery%'`)
    expect(left).toEqual([])
  } finally {
    await there.close()
    await database.drop()
  }
})

test('an export of a newer version is refused, with the version that made it', async () => {
  const org = await all.organization()
  const file = await rewritten(await exported(org.id), (manifest) => ({
    ...manifest,
    schema: [...manifest.schema, '9999_later'],
    made_by: '9.0.0',
  }))
  const files = localFiles(join(directory, 'none'))
  const content = createReadStream(file)
  const { databaseUrl } = all
  await expect(
    importArchive({ databaseUrl, files, content, subdomain: async () => 'new', now: 1 }),
  ).rejects.toThrow('This export was made by Rookery 9.0.0, which is newer than this version')
})

/** Older versions did not have it. */
const laterTable = 'audit_entry'

let count = 0

async function exported(realmId: number): Promise<string> {
  const file = join(directory, `${++count}.tar.gz`)
  const { read } = all.node.app.realms.connections
  const source = { read, files: all.adapters.files, realmId, scope: 'full', version: '1', now: 1 } as const
  await writeArchive(source, (content) => pipeline(content, createWriteStream(file)))
  return file
}

/** Writes the same archive with another manifest, and the rows with its columns. */
function rewritten(file: string, change: (manifest: Manifest) => Manifest): Promise<string> {
  return rewrittenArchive(file, (name, content) => {
    if (name === `tables/${laterTable}.ndjson`) return {}
    if (name === 'manifest.json') return { [name]: JSON.stringify(change(JSON.parse(content))) }
    return {
      [name]: name === 'tables/invitation.ndjson' ? content.replaceAll('"sealed":', '"link_key":') : content,
    }
  })
}

async function rowsOf(
  { read }: Pick<Connections, 'read'>,
  table: string,
  realmId: number,
): Promise<string[]> {
  const rows = await read.rows(sql<{ line: string }>`
    SELECT (to_jsonb(t) - 'realm_id')::text AS line FROM ${sql.table(table)} t WHERE realm_id = ${realmId} ORDER BY 1`)
  return rows.map(({ line }) => line)
}
