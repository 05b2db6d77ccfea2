import { type RawBuilder, sql } from 'kysely'
import type { MessageRow } from '../../../db/schema.ts'
import { noSuchMessage } from '../../../lib/api-error.ts'

/** A message to be changed. */
export type Target = MessageRow & { is_widget: boolean }

/** Selects the current row of the message to be changed. */
export function targetQuery(realmId: number, id: number): RawBuilder<Target> {
  return sql<Target>`
    SELECT m.*, EXISTS (
      SELECT FROM submessage s WHERE s.realm_id = m.realm_id AND s.message_id = m.id AND s.is_widget) AS is_widget
    FROM message m WHERE m.realm_id = ${realmId} AND m.id = ${id}`
}

/** Throws 404 if the message was deleted after the access check. */
export function foundOr404(found: Target | undefined): Target {
  if (!found) throw noSuchMessage()
  return found
}
