import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { Change } from '../../../log/change.ts'
import { userById } from '../../people/kernel/users/access.ts'
import { mutedUsersChanged } from './muted_users.event.ts'
import { hasMuted, mutedUsersView } from './muted-users.ts'

export const unmuteUser = command('DELETE /users/me/muted_users/{muted_user_id}', {
  summary: 'Unmute a user',
  since: 48,
  access: requireUser,
  params: { muted_user_id: pathInteger() },
  returns: {},
  async handle({ realm, me, params, commit }) {
    const { muted_user_id: mutedId } = params
    // A user who can no longer see the muted user may still unmute them.
    if (!hasMuted(realm, me.id, mutedId)) userById(realm, me, mutedId)
    await commit((change) => unmute(change, me.id, mutedId))
    return {}
  },
})

async function unmute(change: Change, userId: number, mutedId: number) {
  const { state } = change
  if (!hasMuted(state, userId, mutedId)) throw badRequest('User is not muted')
  await change.deleteAll('muted_user', [{ user_id: userId, muted_user_id: mutedId }])
  const others = [...state.mutedBy(userId)].filter((row) => row.muted_user_id !== mutedId)
  change.emit(mutedUsersChanged(mutedUsersView(others)), { users: [userId] })
}
