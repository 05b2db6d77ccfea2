import { z } from 'zod'
import type { AccountRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { query } from '../../../http/endpoint.ts'
import { integers } from '../../../http/params.ts'
import { JsonAnswer } from '../../../http/responses/answer-kinds.ts'
import { mapInSlices } from '../../../lib/async/time-slice.ts'
import { chunksOf } from '../../../lib/collections/chunks-of.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { isSpectator, spectatorOf } from '../../kernel/channels/web-public.ts'
import { unknownUserView, userView } from '../../kernel/users/user-view.ts'
import { canSeeAllUsers, visibleUsersInSlices } from '../../kernel/users/user-visibility.ts'
import { personLimits } from '../kernel/users/limits.ts'
import { spectatorsView } from './spectators-view.ts'
import { prepareUserPages, userPages } from './user-pages.ts'
import { formatParams, formatWanted, userSchema } from './user-params.ts'

export const getUsers = query('GET /users', {
  summary: "List the organization's users, all or by id",
  access: requireUser,
  spectator: spectatorOf, // level 387
  params: { ...formatParams, user_ids: integers().optional() },
  returns: { members: z.array(userSchema) },
  async handle({ realm, me, site, params }) {
    const { user_ids } = params
    const format = formatWanted(params)
    if (!user_ids && !isSpectator(me) && canSeeAllUsers(realm, me)) {
      const listing = { realm, site, me, ...format, tellsActive: true }
      const everyone = () => chosen(realm, undefined)
      await prepareUserPages(listing, 'all', everyone)
      return new JsonAnswer('"members":[', ...userPages(listing, 'all', everyone), ']')
    }
    const isKnown = canSeeAllUsers(realm, me) ? () => true : await visibleUsersInSlices(realm, me)
    // If users are requested by id, those whom the caller may not see are left out (level 384).
    const listed = chosen(realm, user_ids).filter((one) => !user_ids || isKnown(one))
    const view = (one: AccountRow) => {
      if (isSpectator(me)) return spectatorsView(realm, site, one)
      if (!isKnown(one)) return { ...unknownUserView(realm, site, one), is_active: true }
      return userView(realm, site, one, { viewer: me, ...format })
    }
    const pages = await mapInSlices(chunksOf(listed, personLimits.userIdsPerPage), (page) =>
      Buffer.from(page.map((one) => JSON.stringify(view(one))).join()),
    )
    return new JsonAnswer('"members":[', ...pages.flatMap((page, i) => (i === 0 ? [page] : [',', page])), ']')
  },
})

// Unknown ids are ignored.
function chosen(realm: RealmState, ids: number[] | undefined): AccountRow[] {
  const users = ids ? [...new Set(ids)].flatMap((id) => realm.users.get(id) ?? []) : [...realm.users.values()]
  return users.filter((one) => !one.is_system_bot)
}
