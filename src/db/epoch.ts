import type pg from 'pg'
import { codeOf } from '../lib/errors.ts'
import { firstIn } from '../lib/must.ts'
import { databaseLimits } from './limits.ts'

/**
 * The database's own identity: the cluster, the timeline (which changes when a standby takes over), the database, and
 * the table's file (which changes when a dump is restored).
 */
const ownIdentity = `
  (SELECT system_identifier FROM pg_control_system()) || ':' ||
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ':' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) || ':' || pg_relation_filenode('realm_head')`

/** Used for databases that do not disclose the cluster and its timeline. */
const shortIdentity = `
  (SELECT oid FROM pg_database WHERE datname = current_database()) || ':' || pg_relation_filenode('realm_head')`

/** The identity that a standby shares with its primary. */
const clusterIdentity = `
  (SELECT system_identifier FROM pg_control_system()) || ':' ||
  (SELECT oid FROM pg_database WHERE datname = current_database())`

const undisclosed = ['0A000', '42501', '42883']
const noSuchTable = '42P01'

/**
 * Begins new epochs of all logs if the database's identity differs from the recorded one: then this is a copy, or a standby that took
 * over. Must be called for each new connection, before any write. Returns whether new epochs have begun.
 */
export async function beginEpochsOfCopy(client: pg.ClientBase): Promise<boolean> {
  try {
    const now = await identityOf(client)
    const { rows } = await client.query<{ place: string }>('SELECT place FROM log_place')
    if (rows[0]?.place === now) return false
    if (rows.length === 0) {
      await client.query('INSERT INTO log_place (place) VALUES ($1) ON CONFLICT DO NOTHING', [now])
      return false
    }
    const moved = 'WITH moved AS (UPDATE log_place SET place = $1 WHERE place <> $1 RETURNING place)'
    const { rowCount } = await client.query(`${moved}, ${await newEpochs(client, 'FROM moved')}`, [now])
    if (rowCount) await skipLostIds(client)
    return Boolean(rowCount)
  } catch (error) {
    // Not migrated yet, so no client knows anything of it.
    if (codeOf(error) === noSuchTable) return false
    throw error
  }
}

/** Returns the identity of the cluster and database, which is the same for a primary and its standbys. */
export function clusterOf(client: Asked): Promise<string> {
  return readIdentity(client, clusterIdentity)
}

function identityOf(client: Asked): Promise<string> {
  return readIdentity(client, ownIdentity)
}

type Asked = Pick<pg.ClientBase, 'query'>

/** Returns an identity, or the short one if the database does not disclose it to this user. */
async function readIdentity(client: Asked, identity: string): Promise<string> {
  const ask = async (expression: string) =>
    firstIn((await client.query<{ identity: string }>(`SELECT ${expression} AS identity`)).rows).identity
  try {
    return await ask(identity)
  } catch (error) {
    if (undisclosed.includes(codeOf(error) ?? '')) return ask(shortIdentity)
    throw error
  }
}

/** Begins a new epoch of every organization's log. */
export async function beginEpochs(client: pg.ClientBase): Promise<void> {
  await client.query(`WITH ${await newEpochs(client, '')}`)
  await skipLostIds(client)
}

/** Begins a new epoch of one log, unless it has another epoch than the given one already. */
export async function beginEpoch(client: pg.ClientBase, realmId: number, epoch: string): Promise<void> {
  const epochs = await newEpochs(client, 'WHERE realm_id = $1 AND epoch = $2')
  const { rowCount } = await client.query(`WITH ${epochs}`, [realmId, epoch])
  if (rowCount) await skipLostIds(client)
}

/** Returns common table expressions that begin new epochs, also of logs that a move has closed, and the SELECT that returns a row for each. */
async function newEpochs(client: pg.ClientBase, which: string): Promise<string> {
  // Clients may still know lost messages and other objects by their ids, which must not be used again.
  const of = (table: string) => `UPDATE ${table}
    SET epoch = gen_random_uuid(), last_message_id = last_message_id + ${databaseLimits.lostMessageIds} ${which} RETURNING 1`
  // A backup may be of a version that could not move organizations.
  const query = "SELECT to_regclass('moved_head') IS NOT NULL AS exists"
  const { exists } = firstIn((await client.query<{ exists: boolean }>(query)).rows)
  const [closed, orClosed] = exists
    ? [`, closed AS (${of('moved_head')})`, 'UNION ALL SELECT FROM closed']
    : ['', '']
  return `open AS (${of('realm_head')})${closed} SELECT FROM open ${orClosed}`
}

/** Raises all sequences beyond the ids that clients may know from before. */
function skipLostIds(client: pg.ClientBase) {
  return client.query(`
    SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, last_value + ${databaseLimits.lostIds})
    FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL`)
}
