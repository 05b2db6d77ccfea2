import { type RawBuilder, sql } from 'kysely'
import type { AccountRow, MessageRow } from '../../../db/schema.ts'
import { noSuchMessage } from '../../../lib/api-error.ts'
import type { Change } from '../../../log/change.ts'
import { mayRead } from '../../kernel/messages/access.ts'

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

/**
 * Returns the message as a change finds it. Throws if it was deleted since the access check, or if the user may no longer
 * read it.
 */
export async function targetNow(change: Change, me: AccountRow, id: number): Promise<Target> {
  const { state } = change
  const target = foundOr404((await change.run(targetQuery(state.id, id)))[0])
  if (!mayRead(state, state.users.require(me.id), target)) throw noSuchMessage()
  return target
}
