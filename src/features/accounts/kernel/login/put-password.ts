import type { Change } from '../../../../log/change.ts'
import { endLinks } from '../../../kernel/mail/links.ts'
import { invalidateUnknown } from '../../../kernel/push/devices.ts'
import { endSessions } from '../sessions/sessions.ts'

/**
 * Sets a user's password. Ends the user's sessions except the current one, and notifications to browsers of which no session
 * is known. API keys stay valid. Links that were mailed before expire, because a user of the old password may have requested another address in order to return
 * through it.
 */
export async function putPassword(
  change: Change,
  userId: number,
  passwordHash: string,
  sessionId: number | null = null,
) {
  await endSessions(change, userId, sessionId)
  await invalidateUnknown(change, userId, 'browsers')
  for (const kind of ['reset-password', 'change-email'] as const) await endLinks(change, kind, userId)
  const row = { user_id: userId, password_hash: passwordHash }
  const updated = await change.updateAll('credential', [row])
  if (updated.length === 0) await change.insert('credential', row)
}
