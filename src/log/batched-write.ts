import { codeOf } from '../lib/errors.ts'
import type { Json } from '../lib/json.ts'
import { must } from '../lib/must.ts'
import { type Audience, type ClientEvent, type Entry, newStamp } from './entry.ts'
import type { RealmState } from './realm-state.ts'

/**
 * A kind of small write that is committed in groups: many items by one statement. A group may hold items of several
 * kinds; whatever its size, it costs one round trip and one flush to disk. Its items are JSON: workers hand them to each
 * other.
 */
export type BatchedWrite<Item extends Json> = {
  /** Names the prepared statement. */
  name: string
  /** Whether each item takes the next message id. Otherwise, it only reads which one comes next. */
  takesMessageId: boolean
  /** How the items are written; absent for a kind that only emits events. */
  writes?: {
    /**
     * Common table expressions that write the items. `items` stands for the JSON array of their rows, `$1::integer` for
     * the organization; `head` yields the one row (realm_id, now) if the group may go ahead, so every INSERT must
     * select from it.
     */
    sql(items: string): string
    /**
     * Further expressions, each for the items that have a field. A statement has those that its items need: PostgreSQL would
     * open the tables of the others, too, for each group.
     */
    also?: Record<string, string>
    /** The fields that the SQL reads from the JSON array. */
    row(item: Item, messageId: number): Record<string, unknown>
  }
  /** The event of an item, and its audience. `state`: as it is just before the group. */
  entry(
    item: Item,
    messageId: number,
    now: number,
    state: RealmState,
  ): { event: ClientEvent; audience: Audience; body?: unknown }
}

/** All kinds, by name. */
const kinds = new Map<string, BatchedWrite<Json>>()

/** Declares a kind of batched write. */
export function batchedWrite<Item extends Json>(kind: BatchedWrite<Item>): BatchedWrite<Item> {
  kinds.set(kind.name, kind as unknown as BatchedWrite<Json>)
  return kind
}

export function batchedWriteNamed(name: string): BatchedWrite<Json> | undefined {
  return kinds.get(name)
}

/** An item that waits for its group. */
export type Waiting = {
  kind: BatchedWrite<Json>
  item: Json
  /** The epoch of the log in which the caller has read the state. */
  epoch: string
  resolve(messageId: number): void
  reject(error: unknown): void
}

export function rejectAll(group: Waiting[], error: unknown) {
  for (const waiting of group) waiting.reject(error)
}

export type GroupStatement = {
  name: string
  text: string
  values: unknown[]
  entries: Entry[]
  messageIds: number[]
  lastMessageId: number
}

/**
 * Returns the statement that writes a group at the end of the log of this state, and the entries that it creates. It
 * changes nothing and returns no row if another node has extended the log meanwhile, or if its last entry is not the
 * expected one.
 */
export function groupStatement(group: Waiting[], state: RealmState, now: number): GroupStatement {
  const stamp = newStamp()
  let { lastMessageId } = state
  const messageIds = group.map(({ kind }) => (kind.takesMessageId ? ++lastMessageId : lastMessageId + 1))
  const entries = group.map(({ kind, item }, i): Entry => {
    const { event, audience, body } = kind.entry(item, messageIds[i]!, now, state)
    return { id: state.position + 1 + i, stamp, type: event.type, event, audience, rows: null, body }
  })
  const kinds = [...new Set(group.map(({ kind }) => kind))]
    .filter(({ writes }) => writes)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const parts = kinds.map((kind) =>
    partOf(
      kind,
      group.flatMap(({ kind: own, item }, i) => (own === kind ? [{ item, messageId: messageIds[i]! }] : [])),
    ),
  )
  const name = `group:${parts.map((part) => part.name).join('+')}`
  return {
    name,
    text: textOf(name, parts),
    values: [
      state.id,
      state.position,
      state.position + group.length,
      lastMessageId,
      now,
      JSON.stringify(entries.map(({ id, type, event, audience }) => ({ id, type, event, audience }))),
      state.epoch,
      state.stamp,
      stamp,
      ...parts.map(({ rows }) => JSON.stringify(rows)),
    ],
    entries,
    messageIds,
    lastMessageId,
  }
}

/** The rows of a kind, and the expressions that write them: the name says which. */
type Part = { name: string; rows: object[]; sql(items: string): string }

function partOf<Item extends Json>(
  { name, writes }: BatchedWrite<Item>,
  items: { item: Item; messageId: number }[],
): Part {
  const { sql, also = {}, row } = must(writes, `what ${name} writes`)
  const rows = items.map(({ item, messageId }) => row(item, messageId))
  const parts = Object.entries(also).map(([field, part]) =>
    rows.some((one) => one[field] !== undefined) ? part : undefined,
  )
  return {
    // PostgreSQL tells names apart by their first 63 bytes.
    name: name + parts.map((part) => (part ? 1 : 0)).join(''),
    rows,
    sql: (list) => [sql(list), ...parts.filter((part) => part !== undefined)].join(', '),
  }
}

/** The few distinct texts, by name. */
const texts = new Map<string, string>()

function textOf(name: string, parts: Part[]): string {
  const known = texts.get(name)
  if (known !== undefined) return known
  const expressions = [headAndLog, ...parts.map(({ sql }, i) => sql(`$${10 + i}::json`))]
  const text = `${expressions.join(', ')} SELECT realm_id FROM head`
  texts.set(name, text)
  return text
}

const headAndLog = `
  WITH head AS (
    UPDATE realm_head SET last_event_id = $3::bigint, last_message_id = $4::bigint, stamp = $9::bigint
    WHERE realm_id = $1::integer AND last_event_id = $2::bigint AND epoch = $7::uuid AND stamp = $8::bigint
    RETURNING realm_id, $5::bigint AS now
  ), log AS (
    INSERT INTO event_log (realm_id, id, type, audience, event, created_at, stamp)
    SELECT head.realm_id, x.id, x.type, x.audience, x.event, head.now, $9::bigint
    FROM head, json_to_recordset($6::json) AS x(id bigint, type text, audience jsonb, event jsonb)
  )`

/** Returns the statement that writes items alone, for a caller that holds the lock of the head row. */
export function statementFor<Item extends Json>(
  kind: BatchedWrite<Item>,
  items: { item: Item; messageId: number }[],
  head: { realmId: number; now: number },
): { text: string; values: unknown[] } | undefined {
  if (!kind.writes) return undefined
  const { rows, sql } = partOf(kind, items)
  return {
    text: `WITH head AS (SELECT $1::integer AS realm_id, $2::bigint AS now), ${sql('$3::json')} SELECT FROM head`,
    values: [head.realmId, head.now, JSON.stringify(rows)],
  }
}

/** Whether the database itself has refused a statement, so that it had no effect. */
export function wasRefused(error: unknown) {
  const code = codeOf(error)
  return code !== undefined && /^(22|23|40|42)/.test(code)
}
