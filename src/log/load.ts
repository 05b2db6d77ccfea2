import { sql } from 'kysely'
import type { Reader } from '../db/database.ts'
import { TimeSlice } from '../lib/async/time-slice.ts'
import type { Entry } from './entry.ts'
import { readHead } from './head.ts'
import { RealmState } from './realm-state.ts'
import { type StateTable, stateTableNames } from './state-tables.ts'
import { isInRealm, portionsOf } from './table-portions.ts'

/** Rows that are added between two looks at the clock: a look takes as long as adding a row. */
const rowsPerLook = 50

/** Reads the state of an organization as of one moment. It works in slices of the event loop's time, as a large one takes seconds. */
export async function loadRealm(read: Reader, realmId: number, clock: () => number): Promise<RealmState> {
  return read.snapshot(async (at) => {
    const state = new RealmState(realmId, clock)
    const head = await readHead(at, realmId)
    state.position = head.lastEventId
    state.stamp = head.stamp
    state.epoch = head.epoch
    state.changedAt = head.lastEventId
    state.lastMessageId = head.lastMessageId
    const slice = new TimeSlice()
    let added = 0
    const tables = await tablesWithRows(at, realmId)
    for (const table of tables) {
      for await (const rows of portionsOf(at, table, realmId)) {
        await slice.next()
        for (const row of rows) {
          state.append(table, row)
          added += 1
          if (added % rowsPerLook === 0 && slice.isOver) await slice.next()
        }
      }
    }
    if (tables.includes('recipient')) {
      for (const { recipient, id } of await firstMessages(at, realmId)) state.firstMessages.set(recipient, id)
      for (const { recipient, id } of await newestMessages(at, realmId))
        state.newestMessages.set(recipient, id)
    }
    state.presence.fold(head.lastEventId, await presences(at, realmId))
    return state
  })
}

/** Returns the tables in which an organization has rows: most use few of them, and each query would be a round trip. */
async function tablesWithRows(read: Reader, realmId: number): Promise<StateTable[]> {
  const questions = stateTableNames.map(
    (table) =>
      sql`EXISTS (SELECT FROM ${sql.table(table)} WHERE ${isInRealm(table, realmId)}) AS ${sql.ref(table)}`,
  )
  const [has] = await read.rows<Record<StateTable, boolean>>(sql`SELECT ${sql.join(questions)}`)
  return stateTableNames.filter((table) => has?.[table])
}

function presences(read: Reader, realmId: number) {
  return read
    .selectFrom('presence')
    .where('realm_id', '=', realmId)
    .orderBy('connected_at')
    .select(['user_id as userId', 'active_at as active', 'connected_at as connected'])
    .execute()
}

function firstMessages(read: Reader, realmId: number) {
  return read.rows<{ recipient: number; id: number }>(sql`
    SELECT r.id AS recipient, m.id FROM recipient r CROSS JOIN LATERAL (
      SELECT id FROM message WHERE realm_id = r.realm_id AND recipient_id = r.id ORDER BY id LIMIT 1) AS m
    WHERE r.realm_id = ${realmId} AND r.channel_id IS NOT NULL`)
}

function newestMessages(read: Reader, realmId: number) {
  return read.rows<{ recipient: number; id: number }>(sql`
    SELECT r.id AS recipient, m.id FROM recipient r CROSS JOIN LATERAL (
      SELECT id FROM message WHERE realm_id = r.realm_id AND recipient_id = r.id ORDER BY id DESC LIMIT 1) AS m
    WHERE r.realm_id = ${realmId}`)
}

/** Returns the log's entries after a number, in order, at most `limit`. They have no bodies. */
export async function readEntries(
  read: Reader,
  realmId: number,
  after: number,
  limit: number,
): Promise<Entry[]> {
  const rows = await read
    .selectFrom('event_log')
    .where('realm_id', '=', realmId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .select(['id', 'type', 'audience', 'event', 'rows', 'stamp'])
    .execute()
  return rows as Entry[]
}
