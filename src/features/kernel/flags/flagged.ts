import { sql } from 'kysely'
import { withCustomPlans } from '../../../db/database.ts'
import { messagesById } from '../messages/page-queries.ts'
import type { MessageReader, PageMessage } from '../messages/page-rows.ts'
import type { Flagged } from '../messages/reader-flags.ts'

/** The fields of a message that determine its flags, and the fields that flag events contain. */
export type FlaggedMessage = Flagged & Pick<PageMessage, 'topic'>

/** Returns the existing messages with these ids, ordered by id. */
export function flaggedById({ realm, me, read }: MessageReader, ids: number[]): Promise<FlaggedMessage[]> {
  return messagesById({ realm, me, read: withCustomPlans(read) }, undefined, sql`true`, ids)
}
