import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../../config/config.ts'
import { readerCount } from '../../db/database.ts'
import { clusterOf } from '../../db/epoch.ts'
import { noStandby, ofOther, pooled } from '../../db/replica.ts'
import { sharesSessions } from '../../db/sessions.ts'
import { messageOf } from '../../lib/errors.ts'
import { mainDatabase } from '../../lib/main-database.ts'
import { firstIn } from '../../lib/must.ts'
import { withClient } from '../database/with-client.ts'
import type { Finding } from './checks.ts'

/** For how long a standby may be behind before it is a warning. */
const patienceMs = 1_000

/** A database by its name and URL, and the URL of its standby. */
type Replicated = { name: string; database: string; replica: string }

/** Looks at the standby that the server reads from in place of a database. */
export async function checkReplica(of: Replicated, config: Config): Promise<Finding[]> {
  const findings = await withClient(of.database, (database) => examine(database, of.replica, config))
  const prefix = of.name === mainDatabase ? '' : `database ${of.name}: `
  return findings.map((finding) => ({ ...finding, what: prefix + finding.what }))
}

async function examine(database: pg.Client, url: string, config: Config): Promise<Finding[]> {
  try {
    return await withClient(url, async (replica) => {
      const fault = (await sharesSessions(url)) ? pooled : await faultOf(database, replica)
      return fault
        ? [unusedReplica(fault)]
        : [await lagOf(database, replica), ...(await checkRoom(replica, config))]
    })
  } catch (error) {
    return [unusedReplica(messageOf(error instanceof Error && error.cause ? error.cause : error))]
  }
}

function unusedReplica(fault: string): Finding {
  const advice =
    'Let its URL lead to a standby of the database. Until then all is read from the database itself.'
  return { level: 'FAIL', what: `the replica is not used: ${fault}`, advice }
}

async function faultOf(database: pg.Client, replica: pg.Client): Promise<string | undefined> {
  const { rows } = await replica.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby')
  if (!rows[0]?.is_standby) return noStandby
  return (await clusterOf(replica)) === (await clusterOf(database)) ? undefined : ofOther
}

type Lag = { bytes: number; seconds: number | null }

const lagQuery = `
  SELECT greatest(0, pg_wal_lsn_diff($1, pg_last_wal_replay_lsn()))::float8 AS bytes,
    extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8 AS seconds`

/** The organizations whose logs end elsewhere, as the text of headsQuery says that they should. */
const strayQuery = `
  SELECT count(*)::int AS count FROM json_to_recordset($1::json) AS p(realm_id integer, epoch uuid, last_event_id bigint)
  LEFT JOIN realm_head h USING (realm_id) WHERE (h.epoch = p.epoch AND h.last_event_id >= p.last_event_id) IS NOT TRUE`

const headsQuery = `
  SELECT coalesce(json_agg(json_build_object('realm_id', realm_id, 'epoch', epoch, 'last_event_id', last_event_id)), '[]')::text
    AS heads FROM realm_head`

/** Looks whether the replica soon has what the database has now. */
async function lagOf(database: pg.Client, replica: pg.Client, isSecond = false): Promise<Finding> {
  const { heads } = firstIn((await database.query<{ heads: string }>(headsQuery)).rows)
  const endQuery = 'SELECT pg_current_wal_flush_lsn()::text AS end'
  const { end } = firstIn((await database.query<{ end: string }>(endQuery)).rows)
  const look = async () => firstIn((await replica.query<Lag>(lagQuery, [end])).rows)
  let lag = await look()
  for (const until = performance.now() + patienceMs; lag.bytes > 0 && performance.now() < until; ) {
    await sleep(50)
    lag = await look()
  }
  if (lag.bytes === 0) {
    const { count } = firstIn((await replica.query<{ count: number }>(strayQuery, [heads])).rows)
    // An organization that was deleted or moved meanwhile differs only once.
    return count > 0 && !isSecond ? lagOf(database, replica, true) : contentsOf(count)
  }
  const newest = `the newest change that it has is ${Math.round(lag.seconds ?? 0)} seconds old`
  const what = `the replica is ${Math.ceil(lag.bytes / 1024)} KiB behind: ${newest}`
  const advice = 'Until it has caught up, the database is read. See the network and the disk of the standby.'
  return { level: 'warn', what, advice }
}

/** The position in the log of PostgreSQL says nothing if this is another one since a standby took over. */
function contentsOf(count: number): Finding {
  if (count === 0) return { level: 'ok', what: 'the replica has all that the database has' }
  const what = `the replica follows another database than this one, or its log from before a standby took over: ${count} organizations differ`
  const advice = 'Their searches are read from the database. Set the standby up anew, or use pg_rewind.'
  return { level: 'FAIL', what, advice }
}

async function checkRoom(replica: pg.Client, config: Config): Promise<Finding[]> {
  const needed = (readerCount(config.databaseConnections) + 1) * config.workers
  const { rows } = await replica.query<{ max: number }>(
    `SELECT current_setting('max_connections')::int AS max`,
  )
  const { max } = firstIn(rows)
  if (needed < max) return []
  const what = `up to ${needed} connections to the replica, of ${max} that it takes`
  const advice = 'Lower ROOKERY_DATABASE_CONNECTIONS, or raise max_connections of the standby.'
  return [{ level: 'warn', what, advice }]
}
