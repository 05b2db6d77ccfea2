import { sql } from 'kysely'

/** The end of the log as of which a query reads; null if the log is closed where it reads, by a move to another database. */
export type LogMoment = { position: number | null; epoch: string | null }

/** The columns of a LogMoment, for a query whose result is kept in memory. */
export function logMoment(realmId: number) {
  const head = (column: string) =>
    sql`(SELECT ${sql.ref(column)} FROM realm_head WHERE realm_id = ${realmId})`
  return sql`${head('last_event_id')} AS position, ${head('epoch')} AS epoch`
}
