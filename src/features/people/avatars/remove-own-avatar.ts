import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { checkMayChangeAvatar, forgetAvatar, ownAvatar, setAvatar } from './avatars.ts'

export const removeOwnAvatar = command('DELETE /users/me/avatar', {
  summary: "Remove the current user's avatar and restore the default",
  access: requireUser,
  params: {},
  returns: { avatar_url: z.string().nullable() },
  async handle({ realm, me, site, adapters, commit }) {
    checkMayChangeAvatar(realm, me)
    const before = await commit((change) => {
      checkMayChangeAvatar(change.state, change.state.users.require(me.id))
      return setAvatar(change, me.id, null)
    })
    await forgetAvatar(adapters.files, realm.id, before)
    return { avatar_url: ownAvatar(realm, site, realm.users.require(me.id)) }
  },
})
