import { type RawBuilder, sql } from 'kysely'
import { planEach, type Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { PageMessage } from '../messages/page-rows.ts'
import { type Flagged, type MessageWindow, messagesById, pageOfMessages } from '../messages/queries.ts'

/** The fields of a message that determine its flags, and the fields that flag events contain. */
export type FlaggedMessage = Flagged & Pick<PageMessage, 'topic'>

/** Returns the existing messages with these ids, ordered by id. */
export function flaggedById(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  ids: number[],
): Promise<FlaggedMessage[]> {
  return messagesById(planEach(read), realm, me, undefined, sql`true`, ids)
}

/**
 * Returns at most `before` messages up to the anchor and `after` messages beyond it that satisfy the condition, ordered
 * by id.
 */
export function flaggedAround(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  condition: RawBuilder<boolean>,
  page: MessageWindow,
): Promise<FlaggedMessage[]> {
  return pageOfMessages(planEach(read), realm, me, undefined, condition, page)
}
