import { sql } from 'kysely'
import { isRecent } from '../../../../db/recently.ts'
import { tooManyRequests } from '../../../../lib/api-error.ts'
import { libLimits } from '../../../../lib/limits.ts'
import { networkOf } from '../../../../lib/network/network-of.ts'
import type { Change } from '../../../../log/change.ts'
import type { Commit } from '../../../../log/realm-log.ts'
import { loginLimits } from './limits.ts'

/**
 * Counts a login attempt under a name from an address before the password is checked. So neither concurrent attempts
 * nor several nodes can exceed the limit. Throws 429 after too many attempts from one network, so an attacker cannot
 * lock out other networks. A higher limit applies to all networks together, except for networks of the user's earlier
 * logins.
 */
export async function countAttempt(commit: Commit, username: string, ip: string) {
  const wait = await commit(async (change) => {
    const { state, now } = change
    await change.run(sql`
      DELETE FROM login_attempt
      WHERE realm_id = ${state.id} AND NOT ${isRecent('at', now, loginLimits.failedLoginSeconds)}`)
    const here = await raise(change, nameIn(username, ip), loginLimits.failedLogins)
    if (here > 0 || (await isFamiliar(change, username, ip))) return here
    return raise(change, nameOf(username), loginLimits.failedLoginsEverywhere)
  })
  if (wait > 0) throw tooManyRequests(wait)
}

/**
 * Notes in the audit log that a login to an existing account has failed. Other names take as long, so the time does not
 * tell which names have accounts. `countAttempt` limits how often this happens.
 */
export async function noteFailure(commit: Commit, username: string, ip: string) {
  await commit(async (change) => {
    const user = change.state.userByEmail(username.toLowerCase())
    if (user) change.note({ kind: 'login.fail', object: 'user', objectId: user.id })
    await change.run(sql`
      UPDATE login_attempt SET at = at WHERE realm_id = ${change.state.id} AND name = ${nameIn(username, ip)}`)
  })
}

/**
 * Adds one to a counter that decreases over time, if it stays within the limit. Otherwise returns the seconds to wait.
 */
async function raise(change: Change, name: string, limit: number): Promise<number> {
  const { state, now } = change
  const perSecond = limit / loginLimits.failedLoginSeconds
  const [known] = await change.run(sql<{ level: number; at: number }>`
    SELECT level, at FROM login_attempt WHERE realm_id = ${state.id} AND name = ${name}`)
  const level = 1 + (known ? Math.max(0, known.level - Math.max(0, now - known.at) * perSecond) : 0)
  if (level > limit) return (level - limit) / perSecond
  await change.run(sql`
    INSERT INTO login_attempt (realm_id, name, level, at) VALUES (${state.id}, ${name}, ${level}, ${now})
    ON CONFLICT (realm_id, name) DO UPDATE SET level = excluded.level, at = excluded.at`)
  return 0
}

/** Returns whether one of the user's latest logins came from this network. */
async function isFamiliar(change: Change, username: string, ip: string) {
  const user = change.state.userByEmail(username.toLowerCase())
  if (!user) return false
  const logins = await change.run(sql<{ ip: string }>`
    SELECT DISTINCT ip FROM login WHERE realm_id = ${change.state.id} AND user_id = ${user.id}`)
  return logins.some((login) => networkOf(login.ip) === networkOf(ip))
}

/** Clears failed attempts after a login: those from its network, or, without an address, from all networks. */
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

/** Without spaces, so that no name that a user types is the name of a counter of another user from one network. */
function nameOf(username: string) {
  return username.toLowerCase().slice(0, libLimits.emailLength).replaceAll(' ', '_')
}

/** Returns whether attempts under both names count as attempts for one account. */
export function isSameName(one: string, other: string) {
  return nameOf(one) === nameOf(other)
}
