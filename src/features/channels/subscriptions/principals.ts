import { z } from 'zod'
import type { AccountRow } from '../../../db/schema.ts'
import { list } from '../../../http/collections.ts'
import { json } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { userByEmail, userById } from '../../people/kernel/users/access.ts'
import { subscriptionLimits } from './limits.ts'

/** The users to subscribe or unsubscribe: user ids, or email addresses. */
export const principalsParam = () =>
  json(
    z.union([
      list(z.string(), subscriptionLimits.subscriptionsPerRequest),
      list(z.int(), subscriptionLimits.subscriptionsPerRequest),
    ]),
  )

/**
 * Throws if the number of users times channels exceeds the limit of one request. Must be called before the other
 * checks.
 */
export function checkBreadth(channels: unknown[], users: unknown[] = []) {
  if (channels.length * users.length <= subscriptionLimits.subscriptionsPerRequest) return
  const most = Math.floor(subscriptionLimits.subscriptionsPerRequest / channels.length)
  throw badRequest(`principals has too many values for ${channels.length} channels (limit: ${most})`)
}

/**
 * Returns the distinct users with these ids or addresses; the current user if none are given. Throws if a user does not
 * exist or is deactivated.
 */
export function principals(
  realm: RealmState,
  site: Site,
  me: AccountRow,
  sent: string[] | number[] | undefined,
): AccountRow[] {
  if (!sent || sent.length === 0) return [me]
  const users = sent.map((ref) =>
    typeof ref === 'number' ? userById(realm, me, ref) : userByEmail(realm, site, me, ref),
  )
  checkAllActive(users)
  return [...new Set(users)]
}

export function checkAllActive(users: AccountRow[]) {
  if (users.some((user) => !user.is_active)) throw badRequest('User is deactivated')
}
