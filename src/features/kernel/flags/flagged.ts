import { type RawBuilder, sql } from 'kysely'
import { planEach, type Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { PageMessage } from '../messages/page-rows.ts'
import { type Flagged, type MessageWindow, messagesById, pageOfMessages } from '../messages/queries.ts'

/** Of a message what decides on its flags, and what is told of them. */
export type FlaggedMessage = Flagged & Pick<PageMessage, 'topic'>

/** The messages with ids, as far as there are any, by id. */
export function flaggedById(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  ids: number[],
): Promise<FlaggedMessage[]> {
  return messagesById(planEach(read), realm, me, undefined, sql`true`, ids)
}

/** At most `before` messages up to the anchor and `after` messages beyond it that satisfy the condition, by id. */
export function flaggedAround(
  read: Reader,
  realm: RealmState,
  me: AccountRow,
  condition: RawBuilder<boolean>,
  page: MessageWindow,
): Promise<FlaggedMessage[]> {
  return pageOfMessages(planEach(read), realm, me, undefined, condition, page)
}
