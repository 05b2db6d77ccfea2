import { sql } from 'kysely'
import { tooManyRequests } from '../../http/rate-limits.ts'
import { limits } from '../../lib/limits.ts'
import type { Change } from '../../log/change.ts'
import type { Commit } from '../../log/realm-log.ts'

/**
 * Counts a try to log in under a name, before the password is looked at: many tries at once are no way around the
 * limit, and neither are several nodes. Throws 429 after too many.
 */
export async function countAttempt(commit: Commit, username: string) {
  const wait = await commit(async (change) => {
    const { now } = change
    await change.run(sql`
      DELETE FROM login_attempt WHERE realm_id = ${change.state.id} AND at < ${now - limits.failedLoginSeconds}`)
    const [known] = await change.run(sql<{ level: number; at: number }>`
      SELECT level, at FROM login_attempt WHERE realm_id = ${change.state.id} AND name = ${nameOf(username)}`)
    const level = 1 + (known ? Math.max(0, known.level - (now - known.at) * perSecond) : 0)
    if (level > limits.failedLogins) return (level - limits.failedLogins) / perSecond
    await change.run(sql`
      INSERT INTO login_attempt (realm_id, name, level, at)
      VALUES (${change.state.id}, ${nameOf(username)}, ${level}, ${now})
      ON CONFLICT (realm_id, name) DO UPDATE SET level = excluded.level, at = excluded.at`)
    return 0
  })
  if (wait > 0) throw tooManyRequests(wait)
}

/** Whoever has come in has failed no more. */
export async function forgiveAttempts(change: Change, username: string) {
  await change.run(sql`
    DELETE FROM login_attempt WHERE realm_id = ${change.state.id} AND name = ${nameOf(username)}`)
}

const perSecond = limits.failedLogins / limits.failedLoginSeconds

function nameOf(username: string) {
  return username.toLowerCase().slice(0, limits.emailLength)
}
