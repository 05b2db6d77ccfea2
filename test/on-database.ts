import pg from 'pg'
import { migrate } from '../src/db/migrate.ts'

/** Runs one query on a database. */
export async function onDatabase(url: string, query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(query).finally(() => client.end())
  return rows
}

/** Does work while a database is as versions left it that could not move organizations. */
export async function asBeforeMoves(url: string, work: () => Promise<void>) {
  await onDatabase(
    url,
    "DROP TABLE realm_place, moved_head; DELETE FROM migration WHERE name = '0040_several_databases.sql'",
  )
  await work()
  await migrate(url)
}
