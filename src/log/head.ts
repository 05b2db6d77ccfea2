import { sql } from 'kysely'
import type { Reader } from '../db/database.ts'
import { type Selection, selection } from '../db/selection.ts'

/** The end of a log: the number of its last entry, and the identity of that entry. */
export type Head = { lastEventId: number; lastMessageId: number; epoch: string; stamp: number }

/** The log cannot be written in this database: the organization was moved or deleted, or is being moved. */
export class LogClosed extends Error {}

/** Returns the end of an organization's log. Throws LogClosed if it is not in the database that is read. */
export async function readHead(read: Reader, realmId: number): Promise<Head> {
  const { query, take } = headSelection(realmId)
  return take((await read.prepared('head', query)) as never[])
}

/** Selects the end of an organization's log, for readHead or as part of a larger statement. */
export function headSelection(realmId: number): Selection<Head> {
  const heads = sql<Head>`SELECT last_event_id AS "lastEventId", last_message_id AS "lastMessageId", epoch, stamp
    FROM realm_head WHERE realm_id = ${realmId}`
  return selection(heads, ([head]) => {
    if (!head) throw new LogClosed(`realm ${realmId} is not in this database`)
    return head
  })
}

/** Returns the ends of those of these logs that are open in the database that is read, by organization. */
export async function readHeads(read: Reader, logs: { state: { id: number } }[]): Promise<Map<number, Head>> {
  const realmIds = logs.map(({ state }) => state.id)
  const rows = await read.rows(sql<Head & { id: number }>`
    SELECT realm_id AS id, last_event_id AS "lastEventId", last_message_id AS "lastMessageId", epoch, stamp
    FROM realm_head WHERE realm_id = ANY(${realmIds}::integer[])`)
  return new Map(rows.map((head) => [head.id, head]))
}
