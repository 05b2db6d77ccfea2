import type { AccountRow } from '../../../../db/schema.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import type { Change } from '../../../../log/change.ts'
import { invalidateUnknown } from '../../../kernel/push/devices.ts'

/** Ends one of the user's own sessions; its browser gets no more notifications. Throws 404 for any other. */
export async function endOwnSession(change: Change, me: AccountRow, id: number) {
  if (change.state.sessions.get(id)?.user_id !== me.id) throw notFound('There is no such session.')
  await change.deleteAll('session', [{ id }])
  await invalidateUnknown(change, me.id, 'browsers')
}

/** Revokes one of the user's own API keys; its app gets no more notifications. Throws 404 for any other. */
export async function revokeOwnKey(change: Change, me: AccountRow, id: number) {
  if (change.state.apiKeys.get(id)?.user_id !== me.id) throw notFound('There is no such key.')
  await change.deleteAll('api_key', [{ id }])
  await invalidateUnknown(change, me.id, 'apps')
}

function notFound(message: string) {
  return new ApiError(message, 'BAD_REQUEST', 404)
}
