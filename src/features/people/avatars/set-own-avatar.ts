import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { files } from '../../../http/params.ts'
import { drawerOf } from '../../organization/kernel/pictures/drawing-slots.ts'
import { onePicture } from '../../organization/kernel/pictures/sent-picture.ts'
import { withPictures } from '../../organization/kernel/pictures/store.ts'
import { checkMayChangeAvatar, drawAvatar, forgetAvatar, ownAvatar, setAvatar } from './avatars.ts'
import { avatarLimits } from './limits.ts'

export const setOwnAvatar = command('POST /users/me/avatar', {
  summary: 'Upload an avatar',
  access: requireUser,
  params: { files: files({ max: avatarLimits.avatarMib * 2 ** 20 }) },
  returns: { avatar_url: z.string() },
  async handle(context) {
    const { realm, me, site, params, adapters } = context
    const sent = onePicture(params.files, 'You must upload exactly one avatar.')
    checkMayChangeAvatar(realm, me)
    const { file, pictures } = await drawAvatar(drawerOf(context), sent)
    const before = await withPictures(context, pictures, (change) => {
      checkMayChangeAvatar(change.state, change.state.users.require(me.id))
      return setAvatar(change, me.id, file)
    })
    await forgetAvatar(adapters.files, realm.id, before)
    return { avatar_url: ownAvatar(realm, site, realm.users.require(me.id)) }
  },
})
