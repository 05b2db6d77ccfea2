import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { messageOf } from '../lib/errors.ts'
import { ignore } from '../lib/guard.ts'
import { firstIn } from '../lib/must.ts'
import { productVersion } from '../lib/version.ts'

/** This is the same folder from src/ and from dist/. */
const folder = new URL('./migrations/', import.meta.url)

/** The advisory lock of migrations: any number that no other user of the database locks. */
const lock = 0x726f6f6b

/** A migration that was applied, and how long it took. */
export type Applied = { name: string; milliseconds: number }

type Report = (applied: Applied) => void

/**
 * Applies the missing migrations in order, and returns their names. Each runs in a transaction, unless its first line says that it runs
 * outside of one, so that writes can go on. `report` is called after each, except in a new database. Throws if a newer version has applied
 * migrations that this version does not know.
 */
export async function migrate(url: string, report: Report = () => {}): Promise<string[]> {
  return withLock(url, async (client) => {
    await client.query(createRecord)
    const { missing, unknown, isNew } = await migrationGap(client)
    checkIsNotNewer(unknown)
    for (const name of missing) {
      const milliseconds = await (isOutside(await textOf(name)) ? applyOutside : applyWhole)(client, name)
      if (!isNew) report({ name, milliseconds })
    }
    return missing
  })
}

/**
 * Applies the missing migrations in one transaction that is rolled back, so that nothing changes. Other users of the tables wait
 * meanwhile. Throws if it does not get the locks of the tables within five seconds.
 */
export async function tryMigrations(url: string, report: Report): Promise<void> {
  const work = async (client: pg.Client) => {
    const { missing, unknown } = await migrationGap(client)
    checkIsNotNewer(unknown)
    await client.query('BEGIN')
    try {
      await client.query(createRecord)
      for (const name of missing) report({ name, milliseconds: await apply(client, name) })
    } finally {
      await client.query('ROLLBACK')
    }
  }
  await withLock(url, work, 5)
}

const createRecord = 'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY)'

/** Does work while no other process migrates the database. `patience`: seconds to wait for any lock; by default, as the database is set. */
async function withLock<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  patience?: number,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  // The query under way fails and reports the error; without a listener, the process would end.
  client.on('error', ignore)
  await client.connect()
  try {
    if (patience !== undefined) await client.query(`SET lock_timeout = '${patience}s'`)
    await takeLock(client, patience)
    await client.query('SET client_min_messages = warning')
    // The version is recorded with each migration.
    await client.query("SELECT set_config('rookery.version', $1, false)", [productVersion])
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Takes the lock of migrations by asking repeatedly, rather than by a query that waits for it: the holder may be making an index
 * concurrently, which waits for the end of all queries.
 */
async function takeLock(client: pg.Client, patience = Number.POSITIVE_INFINITY) {
  const begun = performance.now()
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS is_taken', [lock])
    if (rows[0].is_taken) return
    if (performance.now() - begun > patience * 1000)
      throw new Error('Another process is migrating the database: try again when it is finished.')
    await sleep(100)
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

/** Throws if a newer version has changed the database: this version must not write to it. */
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

/** Returns the statements of a migration as they can run in a transaction. */
export async function migrationText(name: string): Promise<string> {
  const text = await textOf(name)
  return isOutside(text) ? text.replaceAll(' CONCURRENTLY', '') : text
}

function textOf(name: string): Promise<string> {
  return readFile(new URL(name, folder), 'utf8')
}

function isOutside(text: string) {
  return text.startsWith('-- Outside of a transaction')
}

async function applyWhole(client: pg.Client, name: string): Promise<number> {
  await client.query('BEGIN')
  const milliseconds = await apply(client, name)
  await client.query('COMMIT')
  return milliseconds
}

/** Applies a migration statement by statement: together, they would be one transaction. It can be repeated after an interruption. */
async function applyOutside(client: pg.Client, name: string): Promise<number> {
  const statements = (await textOf(name)).split(/;$/m).filter((text) => text.trim() !== '')
  return runAndRecord(client, name, async () => {
    for (const statement of statements) await client.query(statement)
  })
}

/** Applies a migration in the caller's transaction. Returns how many milliseconds it took. */
async function apply(client: pg.Client, name: string): Promise<number> {
  const text = await migrationText(name)
  return runAndRecord(client, name, () => client.query(text))
}

/** Does the work of a migration, and records it as applied. Returns how many milliseconds the work took. */
async function runAndRecord(client: pg.Client, name: string, work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work().catch((error) => {
    throw new Error(`The migration ${name} failed: ${messageOf(error)}.`, { cause: error })
  })
  await client.query('INSERT INTO migration (name) VALUES ($1)', [name])
  return Math.round(performance.now() - begun)
}
