import type { FileStore } from '../../../adapters/files/file-store.ts'
import type { AccountRow } from '../../../db/schema.ts'
import { isAdministrator } from '../../../http/access.ts'
import type { ReceivedFile } from '../../../http/body/files.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { must } from '../../../lib/must.ts'
import type { Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { avatarFiles, avatarName } from '../../kernel/avatars/avatar-names.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { avatarUrl } from '../../kernel/users/user-view.ts'
import type { Drawer } from '../../organization/kernel/pictures/drawing-slots.ts'
import { redraw, type SentPicture } from '../../organization/kernel/pictures/redraw.ts'
import { onePicture } from '../../organization/kernel/pictures/sent-picture.ts'
import {
  abandonPictures,
  newPictureName,
  type Pictures,
  removePictures,
} from '../../organization/kernel/pictures/store.ts'

/** An uploaded avatar in its sizes: the name to store in the account, and the pictures to store. */
export type NewAvatar = { file: string; pictures: Pictures }

/** Draws an uploaded avatar. Throws BAD_IMAGE if the file is not a picture. */
export async function drawAvatar(drawer: Drawer, sent: SentPicture): Promise<NewAvatar> {
  const shapes = [square(100), square(500)]
  const [small, medium] = await redraw(drawer, sent, shapes)
  const file = newPictureName()
  return {
    file,
    pictures: {
      [avatarName(file, { medium: false })]: must(small, 'small picture'),
      [avatarName(file, { medium: true })]: must(medium, 'medium picture'),
    },
  }
}

/**
 * Draws the avatar of a bot that came with a request, if there is one. Throws 400 for several files, and BAD_IMAGE if
 * the file is not a picture.
 */
export async function drawBotAvatar(drawer: Drawer, sent: ReceivedFile[]): Promise<NewAvatar | undefined> {
  if (sent.length === 0) return undefined
  return drawAvatar(drawer, onePicture(sent, 'You may only upload one file at a time'))
}

/** Throws unless the current user may change their avatar. */
export function checkMayChangeAvatar(realm: RealmState, me: AccountRow) {
  if (!realmSettings(realm).avatar_changes_disabled || isAdministrator(me)) return
  throw badRequest('Avatar changes are disabled in this organization.')
}

/** Sets a user's avatar to this file, or removes it (null), and emits the event. Returns the previous file. */
export async function setAvatar(change: Change, userId: number, file: string | null): Promise<string | null> {
  const { state } = change
  const before = state.users.require(userId)
  await change.update('account', {
    id: userId,
    avatar_file: file,
    avatar_source: file === null ? 'G' : 'U',
    avatar_version: before.avatar_version + 1,
  })
  await abandonPictures(change, avatarFiles(before.avatar_file))
  return before.avatar_file
}

/** Removes the pictures of an avatar that is no longer in use. */
export async function forgetAvatar(files: FileStore, realmId: number, file: string | null): Promise<void> {
  await removePictures(files, realmId, avatarFiles(file))
}

/** Returns the address of a user's avatar as they see it themselves. */
export function ownAvatar(realm: RealmState, site: Site, user: AccountRow) {
  return avatarUrl(realm, site, user, { clientComputes: false, viewer: user })
}

function square(size: number) {
  return { width: size, height: size, fit: 'cover' } as const
}
