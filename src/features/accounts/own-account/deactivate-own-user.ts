import { roles } from '../../../db/roles.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { noSessionCookie, userCookie } from '../../../http/callers/session.ts'
import { command } from '../../../http/endpoint.ts'
import { CookieAnswer } from '../../../http/responses/answer-kinds.ts'
import { ApiError } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { prepareSubscribers } from '../../channels/kernel/subscriptions/subscribers.ts'
import { deactivate } from '../../kernel/users/deactivation.ts'
import { isLastOwner } from '../../people/users/change-user.ts'
import { leftCookie } from '../kernel/sessions/known-organizations.ts'

export const deactivateOwnUser = command('DELETE /users/me', {
  summary: 'Deactivate the current user',
  access: requireUser,
  params: {},
  returns: {},
  async handle(context) {
    const { realm, me, site, commit } = context
    checkNotLast(realm, me)
    await prepareSubscribers(realm, me.id)
    await commit((change) => {
      checkNotLast(change.state, change.state.users.require(me.id))
      return deactivate(change, me)
    })
    return new CookieAnswer({}, [noSessionCookie(site), userCookie(site, undefined), leftCookie(context)])
  },
})

function checkNotLast(realm: RealmState, me: AccountRow) {
  if (me.role !== roles.owner || !isLastOwner(realm, me)) return
  throw new ApiError('Cannot deactivate the only organization owner.', 'CANNOT_DEACTIVATE_LAST_USER', 400, {
    is_last_owner: true,
    entity: 'organization owner',
  })
}
