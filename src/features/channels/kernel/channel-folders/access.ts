import type { ChannelFolderRow } from '../../../../db/schema.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import type { RealmState } from '../../../../log/realm-state.ts'

/** Returns the channel folder with this id, archived or not. */
export function channelFolder(realm: RealmState, id: number): ChannelFolderRow {
  const folder = realm.channelFolders.get(id)
  if (!folder) throw badRequest('Invalid channel folder ID')
  return folder
}

/** Returns a folder to which channels can be added. Archived folders must stay empty. */
export function folderToFill(realm: RealmState, id: number): ChannelFolderRow {
  const folder = channelFolder(realm, id)
  if (folder.is_archived) throw badRequest('Invalid channel folder ID')
  return folder
}
