import { sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { databaseLimits } from '../db/limits.ts'
import type { Database } from '../db/schema.ts'
import type { Head } from './head.ts'

/** The end of a log at the time when its lock was taken. */
export type LockedHead = Omit<Head, 'lastMessageId'>

// Other nodes wait for the lock, so a node that stops while it holds one loses it.
const silence = {
  setting: 'idle_in_transaction_session_timeout',
  value: `${databaseLimits.lockSilenceSeconds}s`,
}

/**
 * Locks an organization for one writer until the transaction ends. Returns the end of its log; undefined if the
 * organization is not in this database.
 */
export function lockHead(trx: Transaction<Database>, realmId: number) {
  return trx
    .selectFrom('realm_head')
    .where('realm_id', '=', realmId)
    .select(['last_event_id as lastEventId', 'epoch', 'stamp'])
    .select(sql`set_config(${silence.setting}, ${silence.value}, true)`.as('silence'))
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Begins a transaction that holds the lock. Returns the end of the log, as lockHead does. */
export async function beginLocked(client: pg.PoolClient, realmId: number): Promise<LockedHead | undefined> {
  await client.query(`BEGIN; SET LOCAL ${silence.setting} = '${silence.value}'`)
  const lock = `SELECT last_event_id AS "lastEventId", epoch, stamp FROM realm_head WHERE realm_id = $1 FOR NO KEY UPDATE`
  const { rows } = await client.query<LockedHead>(lock, [realmId])
  return rows[0]
}
