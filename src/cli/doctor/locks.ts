import type pg from 'pg'
import type { Finding } from './checks.ts'

type Blocker = { pid: number; name: string; waiting: number }

/** Sessions for which others of this database wait at this moment. */
const blockersQuery = `
  SELECT b.pid, coalesce(nullif(b.application_name, ''), b.usename, 'unknown') AS name, count(*)::int AS waiting
  FROM pg_stat_activity a CROSS JOIN LATERAL unnest(pg_blocking_pids(a.pid)) AS blocking(pid)
    JOIN pg_stat_activity b ON b.pid = blocking.pid
  WHERE a.datname = current_database() AND a.application_name LIKE 'rookery%' AND b.application_name NOT LIKE 'rookery%'
  GROUP BY b.pid, name ORDER BY waiting DESC LIMIT 3`

/** Checks whether the server waits for another program's session in the database. */
export async function checkLocks(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<Blocker>(blockersQuery)
  return rows.map(({ pid, name, waiting }) => ({
    level: 'FAIL',
    what: `${waiting === 1 ? 'a session of the server waits' : `${waiting} sessions of the server wait`} for a lock that the session ${pid} (${name}) holds`,
    advice: `End its transaction there, or its session: SELECT pg_terminate_backend(${pid});`,
  }))
}
