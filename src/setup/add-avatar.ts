import type { FileStore } from '../adapters/files/file-store.ts'
import { pictureCaller } from '../features/organization/kernel/pictures/drawing-slots.ts'
import type { SentPicture } from '../features/organization/kernel/pictures/redraw.ts'
import { type Pictures, picturePath } from '../features/organization/kernel/pictures/store.ts'
import { drawAvatar } from '../features/people/avatars/avatars.ts'
import { ApiError } from '../lib/api-error.ts'
import type { Change } from '../log/change.ts'

/** Gives a user of a new organization the avatar that they have elsewhere. Returns whether it is a picture. */
export async function addAvatar(
  change: Change,
  store: FileStore,
  userId: number,
  sent: SentPicture,
): Promise<boolean> {
  const drawn = await drawAvatar(importDrawer(change, userId), sent).catch(unlessNoPicture)
  if (!drawn) return false
  await storePictures(change, store, drawn.pictures)
  await change.update('account', { id: userId, avatar_file: drawn.file, avatar_source: 'U' })
  return true
}

export async function storePictures(change: Change, store: FileStore, pictures: Pictures) {
  for (const [name, picture] of Object.entries(pictures)) {
    await store.put(picturePath(change.state.id, name), picture)
  }
}

/** Draws the pictures of a user while an organization is made. */
export function importDrawer(change: Change, userId: number) {
  return { caller: pictureCaller(change.state.id, userId), gone: new AbortController().signal }
}

/** A page or a broken file may come in place of a picture. */
export function unlessNoPicture(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error
}
