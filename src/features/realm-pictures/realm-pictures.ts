import { administrator } from '../../http/access.ts'
import type { CommandContext } from '../../http/endpoint.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { drawerOf } from '../pictures/drawing-turns.ts'
import { redraw, type SentPicture, type Shape } from '../pictures/redraw.ts'
import { newPictureName, removePictures, withPictures } from '../pictures/store.ts'
import { realmPictureChanged } from '../realm/realm.event.ts'
import { type RealmPicture, realmPictureName, realmPictureSource, realmPictureUrl } from './picture-urls.ts'

type Context = Pick<CommandContext, 'realm' | 'me' | 'site' | 'outside' | 'commit' | 'request'>

/** Makes what was sent the organization's picture. Throws BAD_IMAGE for what is no picture. */
export async function uploadRealmPicture(context: Context, picture: RealmPicture, sent: SentPicture) {
  const [drawn] = await redraw(drawerOf(context), sent, [shapes[picture]])
  const file = newPictureName()
  await withPictures(context.outside.files, context.realm.id, { [realmPictureName(file)]: drawn! }, () =>
    setRealmPicture(context, picture, file),
  )
}

/** Makes another picture (its file), or none, the organization's, and tells everybody. */
export async function setRealmPicture(
  { me, site, outside, commit }: Context,
  picture: RealmPicture,
  file: string | null,
) {
  const { realmId, before } = await commit(async (change) => {
    const { state } = change
    administrator(state, state.users.get(me.id)!)
    const { [`${picture}_file` as const]: before, [`${picture}_version` as const]: version } = state.realm
    await change.update('realm', {
      id: state.id,
      [`${picture}_file`]: file,
      [`${picture}_version`]: version + 1,
    })
    change.emit(
      change.ahead((next) => told(next, site, picture)),
      { everyone: true },
    )
    return { realmId: state.id, before }
  })
  if (before !== null) await removePictures(outside.files, realmId, [realmPictureName(before)])
}

const shapes: Record<RealmPicture, Shape> = {
  icon: { width: 100, height: 100, fit: 'cover' },
  logo: { width: 800, height: 100, fit: 'inside' },
  night_logo: { width: 800, height: 100, fit: 'inside' },
}

function told(realm: RealmState, site: Context['site'], picture: RealmPicture) {
  return realmPictureChanged(picture, {
    [`${picture}_source`]: realmPictureSource(realm, picture),
    [`${picture}_url`]: realmPictureUrl(realm, site, picture),
  })
}
