import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { ignore } from '../lib/guard.ts'
import { firstIn } from '../lib/must.ts'

/** The same folder from src/ and from dist/. */
const folder = new URL('./migrations/', import.meta.url)

/** Any number that no other user of the database locks. */
const lock = 0x726f6f6b

/**
 * Applies the migrations that the database does not have yet, in order, each in a transaction; their names. Throws if a
 * newer version has applied some that this one does not know.
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  // The query under way fails and reports the error; without a listener, the process would end.
  client.on('error', ignore)
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    await client.query('SET client_min_messages = warning')
    await client.query('CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY)')
    const { missing, unknown } = await migrationGap(client)
    checkIsNotNewer(unknown)
    for (const name of missing) await apply(client, name)
    return missing
  } finally {
    await client.end()
  }
}

type Gap = {
  /** The missing migrations, in order. */
  missing: string[]
  /** Applied migrations that this version does not know. */
  unknown: string[]
  /** Whether none is applied. */
  isNew: boolean
}

/** How the database differs from what this version needs. */
export async function migrationGap(client: pg.Client): Promise<Gap> {
  const known = await migrations()
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('migration') IS NOT NULL AS exists",
  )
  const applied = firstIn(rows).exists
    ? (await client.query<{ name: string }>('SELECT name FROM migration ORDER BY name')).rows
    : []
  const names = applied.map((row) => row.name)
  return {
    missing: known.filter((name) => !names.includes(name)),
    unknown: names.filter((name) => !known.includes(name)),
    isNew: names.length === 0,
  }
}

/** A version must not write to what a newer one has changed. */
export function checkIsNotNewer(unknown: string[]) {
  if (unknown.length === 0) return
  throw new Error(
    `The database is newer than this version of Rookery, by ${unknown.join(', ')}: start the newer version, or restore a backup from before it.`,
  )
}

/** The names of all migrations, in order. */
export async function migrations() {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

async function apply(client: pg.Client, name: string) {
  await client.query('BEGIN')
  await client.query(await readFile(new URL(name, folder), 'utf8'))
  await client.query('INSERT INTO migration VALUES ($1)', [name])
  await client.query('COMMIT')
}
