import { requireAdministrator } from '../../../http/access.ts'
import type { CallerContext } from '../../../http/endpoint.ts'
import { firstIn } from '../../../lib/must.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { type Drawer, drawerOf } from '../kernel/pictures/drawing-slots.ts'
import { redraw, type SentPicture, type Shape } from '../kernel/pictures/redraw.ts'
import { abandonPictures, newPictureName, removePictures, withPictures } from '../kernel/pictures/store.ts'
import { realmPictureChanged } from '../kernel/settings/realm.event.ts'
import { type RealmPicture, realmPictureName, realmPictureSource, realmPictureUrl } from './picture-urls.ts'

type Context = CallerContext<'adapters' | 'commit' | 'request'>

/** Sets the organization's picture to the upload. Throws BAD_IMAGE if it is not a picture. */
export async function uploadRealmPicture(context: Context, picture: RealmPicture, sent: SentPicture) {
  const { file, pictures } = await drawRealmPicture(drawerOf(context), picture, sent)
  const before = await withPictures(context, pictures, (change) => replace(change, context, picture, file))
  await removePictures(context.adapters.files, context.realm.id, before)
}

/** Draws a picture of the organization: the name to store in its row, and the picture to store. */
export async function drawRealmPicture(drawer: Drawer, picture: RealmPicture, sent: SentPicture) {
  const drawn = firstIn(await redraw(drawer, sent, [shapes[picture]]))
  const file = newPictureName()
  return { file, pictures: { [realmPictureName(file)]: drawn } }
}

/** Removes the organization's picture. */
export async function removeRealmPicture(context: Context, picture: RealmPicture) {
  const before = await context.commit((change) => replace(change, context, picture, null))
  await removePictures(context.adapters.files, context.realm.id, before)
}

/**
 * Sets the organization's picture to another file, or to none, and notifies all users. Returns the pictures that are no
 * longer in use.
 */
async function replace(change: Change, { me, site }: Context, picture: RealmPicture, file: string | null) {
  const { state } = change
  requireAdministrator(state, state.users.require(me.id))
  const { [`${picture}_file` as const]: before, [`${picture}_version` as const]: version } = state.row
  await change.update('realm', {
    id: state.id,
    [`${picture}_file`]: file,
    [`${picture}_version`]: version + 1,
  })
  change.emit(eventOf(change.next, site, picture), { everyone: true })
  const abandoned = before === null ? [] : [realmPictureName(before)]
  await abandonPictures(change, abandoned)
  return abandoned
}

const shapes: Record<RealmPicture, Shape> = {
  icon: { width: 100, height: 100, fit: 'cover' },
  logo: { width: 800, height: 100, fit: 'inside' },
  night_logo: { width: 800, height: 100, fit: 'inside' },
}

function eventOf(realm: RealmState, site: Context['site'], picture: RealmPicture) {
  return realmPictureChanged(picture, {
    [`${picture}_source`]: realmPictureSource(realm, picture),
    [`${picture}_url`]: realmPictureUrl(realm, site, picture),
  })
}
