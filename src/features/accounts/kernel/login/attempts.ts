import { sql } from 'kysely'
import { tooManyRequests } from '../../../../http/rate-limits.ts'
import { limits } from '../../../../lib/limits.ts'
import { networkOf } from '../../../../lib/network-of.ts'
import type { Change } from '../../../../log/change.ts'
import type { Commit } from '../../../../log/realm-log.ts'

/**
 * Counts a try to log in under a name from an address, before the password is looked at: many tries at once are no way
 * around the limit, and neither are several nodes. Throws 429 after too many from one network, so that nobody locks out
 * others; and after more from all networks together, but not for one from which the person has logged in before.
 */
export async function countAttempt(commit: Commit, username: string, ip: string) {
  const wait = await commit(async (change) => {
    const { state, now } = change
    await change.run(sql`
      DELETE FROM login_attempt WHERE realm_id = ${state.id} AND at < ${now - limits.failedLoginSeconds}`)
    const here = await raise(change, nameIn(username, ip), limits.failedLogins)
    if (here > 0 || (await isFamiliar(change, username, ip))) return here
    return raise(change, nameOf(username), limits.failedLoginsEverywhere)
  })
  if (wait > 0) throw tooManyRequests(wait)
}

/** Adds one to a level that sinks with time, if it stays within the limit; or answers how many seconds that takes. */
async function raise(change: Change, name: string, limit: number): Promise<number> {
  const { state, now } = change
  const perSecond = limit / limits.failedLoginSeconds
  const [known] = await change.run(sql<{ level: number; at: number }>`
    SELECT level, at FROM login_attempt WHERE realm_id = ${state.id} AND name = ${name}`)
  const level = 1 + (known ? Math.max(0, known.level - (now - known.at) * perSecond) : 0)
  if (level > limit) return (level - limit) / perSecond
  await change.run(sql`
    INSERT INTO login_attempt (realm_id, name, level, at) VALUES (${state.id}, ${name}, ${level}, ${now})
    ON CONFLICT (realm_id, name) DO UPDATE SET level = excluded.level, at = excluded.at`)
  return 0
}

/** Whether one of the person's latest logins came from this network. */
async function isFamiliar(change: Change, username: string, ip: string) {
  const user = change.state.userByEmail(username.toLowerCase())
  if (!user) return false
  const logins = await change.run(sql<{ ip: string }>`
    SELECT DISTINCT ip FROM login WHERE realm_id = ${change.state.id} AND user_id = ${user.id}`)
  return logins.some((login) => networkOf(login.ip) === networkOf(ip))
}

/** Whoever has come in has failed no more: from their network, or, without an address, from any. */
export async function forgiveAttempts(change: Change, username: string, ip?: string) {
  const name = nameOf(username)
  const isTheirs =
    ip === undefined
      ? sql`(name = ${name} OR starts_with(name, ${`${name} `}))`
      : sql`name = ${nameIn(username, ip)}`
  await change.run(sql`DELETE FROM login_attempt WHERE realm_id = ${change.state.id} AND ${isTheirs}`)
}

function nameIn(username: string, ip: string) {
  return `${nameOf(username)} ${networkOf(ip)}`
}

function nameOf(username: string) {
  return username.toLowerCase().slice(0, limits.emailLength)
}
