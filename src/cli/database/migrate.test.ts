import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDirectory, runHere, startServer } from '../../../test/command-line.ts'
import { newDatabase } from '../../../test/runner/database.ts'
import { withClient } from './with-client.ts'

const taken = '0034_migration_record.sql'

/** Takes one migration back. */
async function goBack(url: string) {
  await withClient(url, async (client) => {
    await client.query('ALTER TABLE migration DROP COLUMN applied_at, DROP COLUMN applied_by')
    await client.query('DELETE FROM migration WHERE name = $1', [taken])
  })
}

function recordOf(url: string) {
  return withClient(url, async (client) => {
    const { rows } = await client.query('SELECT * FROM migration WHERE name = $1', [taken])
    return rows[0]
  })
}

test('migrations are tried on a copy beside the server, then applied and recorded', async () => {
  const server = await startServer({ ROOKERY_DATA: await newDirectory() })
  const url = (await readFile(join(server.directory, 'postgres.url'), 'utf8')).trim()
  const here = (words: string) => runHere(words, server.environment)
  expect(await here('migrate --dry-run')).toEqual({
    status: 0,
    stderr: '',
    stdout: 'The database is up to date.\n',
  })
  await goBack(url)
  const tried = await here('migrate --dry-run')
  expect(tried.stdout).toMatch(
    /^0034_migration_record\.sql {2}\d+ ms\nThe migration works\. Nothing has changed\.\n$/,
  )
  expect(await recordOf(url)).toBeUndefined()
  const { slots } = await withClient(url, async (client) => {
    return (await client.query('SELECT count(*)::integer AS slots FROM pg_replication_slots')).rows[0]
  })
  expect(slots).toBe(0)
  const { stdout } = await here('migrate --json')
  expect(JSON.parse(stdout)).toEqual({
    result: 'success',
    migrations: [{ name: taken, milliseconds: expect.any(Number) }],
    is_trial: false,
  })
  expect(await recordOf(url)).toMatchObject({ name: taken })
  await server.stop('SIGTERM')
})

test('in an empty database elsewhere, all of them are tried', async () => {
  const database = await newDatabase()
  await withClient(database.url, (client) => client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public'))
  const environment = { DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory() }
  const tried = await runHere('migrate --dry-run', environment)
  expect(tried).toMatchObject({ status: 0, stderr: '' })
  expect(tried.stdout).toMatch(/\nAll \d+ migrations work\. Nothing has changed\.\n$/)
  const { rows } = await withClient(database.url, (client) =>
    client.query("SELECT to_regclass('migration') AS is"),
  )
  expect(rows).toEqual([{ is: null }])
  await database.drop()
})

test('in a database elsewhere they are tried in a transaction that is rolled back', async () => {
  const database = await newDatabase()
  await goBack(database.url)
  const environment = { DATABASE_URL: database.url, ROOKERY_DATA: await newDirectory() }
  const tried = await runHere('migrate --dry-run', environment)
  expect(tried).toMatchObject({ status: 0, stderr: '' })
  expect(tried.stdout).toMatch(/Nothing has changed\.\n$/)
  expect(await recordOf(database.url)).toBeUndefined()
  await withClient(database.url, (client) => client.query("INSERT INTO migration VALUES ('9999_later.sql')"))
  expect((await runHere('migrate', environment)).stderr).toMatch(
    /^The database is newer than this version of Rookery, by 9999/,
  )
  await database.drop()
})
