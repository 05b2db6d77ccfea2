import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

/** The same folder from src/ and from dist/. */
const folder = new URL('../../src/db/migrations/', import.meta.url)

/** Any number that no other user of the database locks. */
const lock = 0x726f6f6b

/** Applies the migrations that the database does not have yet, in order, each in a transaction; their names. */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  // What is under way fails and tells of it; without a listener, the process would end.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lock])
    await client.query('SET client_min_messages = warning')
    await client.query('CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY)')
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migration')
    const applied = new Set(rows.map((row) => row.name))
    const missing = (await migrations()).filter((name) => !applied.has(name))
    for (const name of missing) await apply(client, name)
    return missing
  } finally {
    await client.end()
  }
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
