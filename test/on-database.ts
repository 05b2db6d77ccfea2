import pg from 'pg'
import { expect } from 'vitest'
import { migrate } from '../src/db/migrate.ts'

/** Runs one query on a database. */
export async function onDatabase(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(query).finally(() => client.end())
  return rows
}

/** Waits until one connection waits for a lock of this table. The databases of other tests have tables with the same numbers. */
export async function untilOneWaitsFor(table: string, client: pg.Client) {
  const waiting = `SELECT FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
  await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1)
}

/** Does work on a database in the state of a version that could not move organizations. */
export async function asBeforeMoves(url: string, work: () => Promise<void>) {
  await onDatabase(
    url,
    "DROP TABLE realm_place, moved_head; DELETE FROM migration WHERE name = '0040_several_databases.sql'",
  )
  await work()
  await migrate(url)
}
