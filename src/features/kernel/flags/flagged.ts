import { sql } from 'kysely'
import { planEach, type Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { PageMessage } from '../messages/page-rows.ts'
import { type Flagged, messagesById } from '../messages/queries.ts'

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
