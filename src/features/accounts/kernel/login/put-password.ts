import type { Change } from '../../../../log/change.ts'
import { endLinks } from '../../../kernel/mail/links.ts'
import { endSessions } from '../sessions/sessions.ts'

/**
 * Gives a person a password, in place of the one they have, if any. Their sessions end, but for the one they are in;
 * their API keys go on working. Links that were mailed before end: whoever knew the old password may have asked for
 * another address, to come back by it.
 */
export async function putPassword(
  change: Change,
  userId: number,
  passwordHash: string,
  sessionId: number | null = null,
) {
  await endSessions(change, userId, sessionId)
  for (const kind of ['reset-password', 'change-email'] as const) await endLinks(change, kind, userId)
  const row = { user_id: userId, password_hash: passwordHash }
  const updated = await change.updateAll('credential', [row])
  if (updated.length === 0) await change.insert('credential', row)
}
