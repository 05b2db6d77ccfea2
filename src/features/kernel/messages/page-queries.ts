import { type RawBuilder, sql } from 'kysely'
import type { RealmState } from '../../../log/realm-state.ts'
import { type MessageReader, type PageContent, type PageMessage, pageColumns, readPage } from './page-rows.ts'

/** A window of messages: the anchor and the number of messages on each side. */
export type MessageWindow = { anchor: number; before: number; after: number }

/**
 * Returns at most `before` messages up to the anchor and `after` messages beyond it that satisfy the condition, ordered
 * by id. They have one of the forms of their content, or none; see readPage.
 */
export async function pageOfMessages(
  reader: MessageReader,
  content: PageContent | undefined,
  condition: RawBuilder<boolean>,
  window: MessageWindow,
): Promise<PageMessage[]> {
  const page = windowSql(reader.realm, pageColumns(content), condition, window)
  return page ? readPage(reader, content, page) : []
}

/** Selects from `message m`; undefined if nothing can be found. */
function windowSql(
  realm: RealmState,
  columns: RawBuilder<unknown>,
  condition: RawBuilder<boolean>,
  window: MessageWindow,
): RawBuilder<unknown> | undefined {
  const selected = sidesOf(window).map(
    ({ bound, order, limit }) => sql`(SELECT ${columns} FROM message m
      WHERE m.realm_id = ${realm.id} AND ${condition} AND ${bound} ORDER BY m.id ${order} LIMIT ${limit})`,
  )
  return selected.length > 0 ? sql.join(selected, sql` UNION ALL `) : undefined
}

/** One side of a window, from the anchor on. */
export type WindowSide = {
  isOlder: boolean
  anchor: number
  limit: number
  bound: RawBuilder<unknown>
  order: RawBuilder<unknown>
}

/** Returns the sides on which something can be found: to search the others may take long. */
export function sidesOf({ anchor, before, after }: MessageWindow): WindowSide[] {
  const sides: WindowSide[] = []
  if (before > 0 && anchor > 0) {
    sides.push({ isOlder: true, anchor, limit: before, bound: sql`m.id <= ${anchor}`, order: sql`DESC` })
  }
  if (after > 0) {
    sides.push({ isOlder: false, anchor, limit: after, bound: sql`m.id > ${anchor}`, order: sql`ASC` })
  }
  return sides
}

/** Returns the messages with these ids that satisfy the condition, ordered by id. */
export function messagesById(
  reader: MessageReader,
  content: PageContent | undefined,
  condition: RawBuilder<boolean>,
  ids: number[],
): Promise<PageMessage[]> {
  const page = sql`SELECT ${pageColumns(content)} FROM message m
    WHERE m.realm_id = ${reader.realm.id} AND ${condition} AND m.id = ANY(${ids}::bigint[])`
  return readPage(reader, content, page)
}
