import { type RawBuilder, sql } from 'kysely'
import type { Connections } from '../src/db/database.ts'
import { firstIn } from '../src/lib/must.ts'

/**
 * Returns what all connections have read of a table so far: `count` is an expression of columns of pg_stat_user_tables and
 * pg_statio_user_tables.
 */
export async function readOf(
  { read, db, use }: Connections,
  table: string,
  count: RawBuilder<number>,
): Promise<number> {
  await flushed(
    () => use().read,
    async (query) => read.rows<{ pid: number }>(query),
  )
  await flushed(
    () => use().write,
    async (query) => (await query.execute(db)).rows,
  )
  const rows = await read.rows(sql<{ count: number }>`
    SELECT ${count} AS count FROM pg_stat_user_tables JOIN pg_statio_user_tables USING (relid, relname)
    WHERE relname = ${table}`)
  return firstIn(rows).count
}

/**
 * Has every connection of a pool report what it has read: while one sleeps, the next query takes another. On a busy machine
 * this may need several rounds, and the pool may open another connection meanwhile.
 */
async function flushed(
  use: () => { used: number; idle: number },
  run: (query: RawBuilder<{ pid: number }>) => Promise<{ pid: number }[]>,
) {
  const connections = () => use().used + use().idle
  const reported = new Set<number>()
  for (let seconds = 0.1; reported.size < connections(); seconds = Math.min(seconds * 2, 2)) {
    const query = sql<{ pid: number }>`
      SELECT pg_stat_force_next_flush(), pg_sleep(${seconds}), pg_backend_pid() AS pid`
    for (const [row] of await Promise.all(Array.from({ length: connections() }, () => run(query))))
      reported.add(row!.pid)
  }
}
