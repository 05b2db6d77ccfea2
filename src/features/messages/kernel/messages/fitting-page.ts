import { sql } from 'kysely'
import { type Reader, withCustomPlans } from '../../../../db/database.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { type MessageWindow, sidesOf, type WindowSide } from '../../../kernel/messages/page-queries.ts'
import type { MessageReader, PageContent, PageMessage } from '../../../kernel/messages/page-rows.ts'
import { messagingLimits } from './limits.ts'
import { pageOfNarrowed } from './narrowed-page.ts'
import type { Narrowed } from './readable-narrow.ts'

/**
 * Returns the messages of the narrow in the window. If they are too long for one page, it reduces the window to those next to the anchor; see
 * pageAround.
 */
export function fittingPage(
  reader: MessageReader,
  content: PageContent,
  narrowed: Narrowed,
  window: MessageWindow,
): Promise<PageMessage[]> {
  const page = () => pageOfNarrowed(reader, content, narrowed, window)
  const count = window.before + window.after
  // Searches are few at a time, and each finds its messages in a way of its own.
  if (count <= messagingLimits.messagesOfAnyLength + 1 || narrowed.search !== undefined) return page()
  return fitWindow(reader, content, narrowed, window).then(page)
}

/** Reduces a window to what one page has room for. PostgreSQL knows the length of a text without reading it. */
async function fitWindow(
  { read, realm }: MessageReader,
  content: PageContent,
  { condition }: Narrowed,
  window: MessageWindow,
) {
  const sides = sidesOf(window)
  const room = (messagingLimits.pageMib * 2 ** 20) / sides.length
  const among = await condition()
  const lengths = ({ bound, order, limit }: WindowSide) => sql`
    SELECT sum(bytes) OVER (ORDER BY id ${order}) AS total FROM (
      SELECT m.id, ${lengthOf(content)} AS bytes
      FROM message m WHERE m.realm_id = ${realm.id} AND ${among} AND ${bound} ORDER BY m.id ${order} LIMIT ${limit}) AS side`
  for (const side of sides) {
    const [measured] = await withCustomPlans(read).rows<{ found: number; fitting: number }>(sql`
      SELECT count(*)::integer AS found, (count(*) FILTER (WHERE total <= ${room}))::integer AS fitting
      FROM (${lengths(side)}) AS message`)
    if (!measured || measured.fitting === measured.found) continue
    // One message more, and the one at the anchor itself, are returned however long they are.
    if (side.isOlder) window.before = Math.max(measured.fitting, 2)
    else window.after = Math.max(measured.fitting, 1)
  }
}

/** Throws 400 if the messages with these ids are too long for one response. */
export async function checkFit(read: Reader, realm: RealmState, content: PageContent, ids: number[]) {
  if (ids.length <= messagingLimits.messagesOfAnyLength) return
  const [measured] = await read.rows<{ bytes: number }>(sql`
    SELECT coalesce(sum(${lengthOf(content)}), 0)::bigint AS bytes FROM message m
    WHERE m.realm_id = ${realm.id} AND m.id = ANY(${ids}::bigint[])`)
  const most = messagingLimits.namedMessagesMib
  if (measured && measured.bytes > most * 2 ** 20) {
    throw badRequest(`message_ids names too long messages (limit: ${most} MiB together)`)
  }
}

function lengthOf(content: PageContent) {
  return sql`octet_length(m.${sql.ref(content)}) + coalesce(octet_length(m.edit_history::text), 0)`
}
