import { sql } from 'kysely'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { Change } from '../../../log/change.ts'
import { userById } from '../../people/kernel/users/access.ts'
import { markAllOf } from '../kernel/flags/mark-conversation.ts'
import { mutedUserLimits } from './limits.ts'
import { mutedUsersChanged } from './muted_users.event.ts'
import { hasMuted, mutedUsersView } from './muted-users.ts'

/** Existing messages of the muted user become read. New messages of the muted user arrive as read. */
export const muteUser = command('POST /users/me/muted_users/{muted_user_id}', {
  summary: 'Mute a user',
  since: 48,
  access: requireUser,
  params: { muted_user_id: pathInteger() },
  returns: {},
  async handle(context) {
    const { realm, me, params, commit } = context
    if (params.muted_user_id === me.id) throw badRequest('Cannot mute self')
    const muted = userById(realm, me, params.muted_user_id)
    await commit((change) => mute(change, me.id, muted.id))
    await markAllOf(context, sql`m.sender_id = ${muted.id}`)
    return {}
  },
})

async function mute(change: Change, userId: number, mutedId: number) {
  const { state } = change
  if (hasMuted(state, userId, mutedId)) throw badRequest('User already muted')
  const others = [...state.mutedBy(userId)]
  if (others.length >= mutedUserLimits.mutedUsersPerUser) throw badRequest('You have muted too many users.')
  const row = await change.insert('muted_user', {
    user_id: userId,
    muted_user_id: mutedId,
    created_at: change.now,
  })
  change.emit(mutedUsersChanged(mutedUsersView([...others, row])), { users: [userId] })
}
