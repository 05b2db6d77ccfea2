import { type RawBuilder, sql } from 'kysely'
import { withCustomPlans } from '../../../../db/database.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import { messageLimits } from '../../../kernel/messages/limits.ts'
import {
  type MessageWindow,
  messagesById,
  sidesOf,
  type WindowSide,
} from '../../../kernel/messages/page-queries.ts'
import {
  type MessageReader,
  type PageContent,
  type PageMessage,
  PageTooLong,
} from '../../../kernel/messages/page-rows.ts'
import { messagingLimits } from './limits.ts'
import { pageOfNarrowed } from './narrowed-page.ts'
import type { Narrowed } from './readable-narrow.ts'
import { responseBytesOf, responseBytesOfAll } from './text-lengths.ts'

/**
 * Returns the messages of the narrow in the window. If they are too long for one page, it reduces the window to those next to the anchor; see
 * pageAround.
 */
export async function fittingPage(
  reader: MessageReader,
  content: PageContent,
  narrowed: Narrowed,
  window: MessageWindow,
): Promise<PageMessage[]> {
  const reduce = async () => {
    // A search measures what it finds.
    if (narrowed.search === undefined) await fitWindow(reader, content, narrowed, window)
  }
  let isMeasured = window.before + window.after > messagingLimits.messagesOfAnyLength + 1
  if (isMeasured) await reduce()
  for (;;) {
    try {
      return await pageOfNarrowed(reader, content, narrowed, window, isMeasured)
    } catch (error) {
      if (!(error instanceof PageTooLong)) throw error
      if (!isMeasured) await reduce()
      // As JSON, a text may be longer than PostgreSQL has measured.
      else if (!halve(window)) throw error
      isMeasured = true
    }
  }
}

/** Reduces a window to what one page has room for. */
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
      SELECT m.id, ${responseBytesOf(content)} AS bytes
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

/** Returns false if a window has no more than the smallest page. */
function halve(window: MessageWindow): boolean {
  const { before, after } = window
  if (before > 2) window.before = Math.max(2, Math.ceil(before / 2))
  if (after > 1) window.after = Math.ceil(after / 2)
  return before > 2 || after > 1
}

/**
 * Returns the messages with these ids that satisfy the condition, ordered by id. Throws 400 if one response has no room for them.
 * `name`: that of the parameter.
 */
export async function messagesNamed(
  reader: MessageReader,
  content: PageContent,
  condition: RawBuilder<boolean>,
  { name, ids }: { name: string; ids: number[] },
): Promise<PageMessage[]> {
  const most = messageLimits.longestPageMib
  const tooLong = () => badRequest(`${name} names too long messages (limit: ${most} MiB together)`)
  if (ids.length > messagingLimits.messagesOfAnyLength) {
    const bytes = await responseBytesOfAll(reader.read, reader.realm, content, ids)
    if (bytes > most * 2 ** 20) throw tooLong()
  }
  return messagesById(reader, content, condition, ids).catch((error) => {
    throw error instanceof PageTooLong ? tooLong() : error
  })
}
