import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { tableShapes } from '../../src/db/catalog.ts'
import type { Connections } from '../../src/db/database.ts'
import { allUrls } from '../../src/db/databases.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { ignore } from '../../src/lib/guard.ts'
import { serverActor } from '../../src/log/audit/actor.ts'
import { moveRealm } from '../../src/log/lifecycle/move-realm.ts'
import { logLimits } from '../../src/log/limits.ts'
import { newDirectory } from '../command-line.ts'
import type { Organization } from '../organization.ts'
import { newDatabase, type TestDatabase } from '../runner/database.ts'
import { testServer } from '../test-server.ts'

/** Sets up a server with three databases: main, second and third. Call it like testServer. */
export function severalDatabases() {
  const databases = new Map<string, string>()
  const made: TestDatabase[] = []
  let moves = 0
  beforeAll(async () => {
    for (const name of ['second', 'third']) {
      const database = await newDatabase()
      made.push(database)
      databases.set(name, database.url)
    }
  })
  // After the server, whose hooks are declared later.
  afterAll(async () => {
    for (const database of made) await database.drop()
  })
  const all = testServer({ databases })
  const urls = () => ({ databaseUrl: all.databaseUrl, databases })
  const urlOf = (name: string) => databases.get(name) ?? all.databaseUrl
  const connectionsTo = (name: string): Connections => all.node.app.realms.databases.named(name)
  return {
    all,
    urls,
    connectionsTo,
    /** The environment of commands beside the server. */
    async environment() {
      return {
        DATABASE_URL: all.databaseUrl,
        ROOKERY_DATABASES: [...databases].map(([name, url]) => `${name}=${url}`).join('; '),
        ROOKERY_DATA: await newDirectory(),
        ROOKERY_URL: 'http://chat.test',
      }
    },
    /**
     * Moves an organization. Returns for how many milliseconds nobody could write in it. `isTold`: whether nodes are
     * notified of the move.
     */
    move(
      { id }: Pick<Organization, 'id'>,
      to: string,
      isTold = true,
      report: (line: string) => void = ignore,
    ): Promise<number> {
      const { realms } = all.node.app
      // Nobody waits before going back.
      const earlier = moves++ * logLimits.moveBackSeconds
      const mover = {
        urls: allUrls(urls()),
        databases: realms.databases,
        actor: serverActor,
        clock: () => systemClock() + earlier,
        announce: () => isTold && realms.announceMove(id),
        report,
      }
      return moveRealm(mover, id, to)
    },
    rowsIn: (name: string, { id }: Organization) => rowsIn(connectionsTo(name), id),
    /** In how many forms the organization can be written in a database. */
    async headsIn(name: string, { id }: Organization): Promise<number> {
      const rows = await connectionsTo(name).read.rows(sql`SELECT FROM realm_head WHERE realm_id = ${id}`)
      return rows.length
    },
    /** Holds a lock in a database, and tells whether a session waits for it. */
    block: (name: string, statement: string) => block(urlOf(name), statement),
    /** Stops what inserts rows into a table of a database, until it is opened. */
    gateAt: (name: string, table: string) => gateAt(urlOf(name), connectionsTo(name), table),
  }
}

/** All rows of an organization, by table; without those that tell where it is, and of the audit log. */
async function rowsIn({ read }: Connections, id: number): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {}
  const apart = ['realm_head', 'moved_head', 'realm_place', 'audit_entry']
  for (const { name, columns } of await tableShapes(read)) {
    if (!columns.includes('realm_id') || apart.includes(name)) continue
    const found = await read.rows<{ row: string }>(sql`
      SELECT to_jsonb(t)::text AS row FROM ${sql.table(name)} t WHERE realm_id = ${id} ORDER BY 1`)
    if (found.length > 0) rows[name] = found.map(({ row }) => JSON.parse(row))
  }
  return rows
}

async function block(connectionString: string, statement: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('BEGIN')
  await client.query(statement)
  return {
    async isAwaited() {
      const query = 'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))'
      return (await client.query(query)).rowCount !== 0
    },
    release: () => client.end(),
  }
}

async function gateAt(url: string, { pool }: Connections, table: string) {
  const hold = await block(url, 'SELECT pg_advisory_lock(1)')
  await pool.query(`CREATE OR REPLACE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN new; END $$`)
  await pool.query(
    `CREATE TRIGGER gate BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`,
  )
  return {
    isAwaited: hold.isAwaited,
    async open() {
      await hold.release()
      await pool.query(`DROP TRIGGER gate ON ${table}`)
    },
  }
}
