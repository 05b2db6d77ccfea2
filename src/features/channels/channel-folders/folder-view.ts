import { z } from 'zod'
import type { ChannelFolderRow } from '../../../db/schema.ts'
import type { RealmState } from '../../../log/realm-state.ts'

export type FolderView = z.infer<typeof folderSchema>

export const folderSchema = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.int().nullable(),
  is_archived: z.boolean(),
})

/** A folder as it is on the wire. */
export function folderView(folder: ChannelFolderRow): FolderView {
  const { id, name, description, rendered_description, creator_id, is_archived } = folder
  return {
    id,
    name,
    description,
    rendered_description,
    date_created: folder.created_at,
    creator_id,
    is_archived,
  }
}

/** Returns all folders, in the order that administrators have chosen. */
export function folders(realm: RealmState): FolderView[] {
  return [...realm.channelFolders.values()]
    .sort((a, b) => a.place - b.place || a.id - b.id)
    .map((folder) => folderView(folder))
}

/** Returns the place of a new folder: behind all others. */
export function lastPlace(realm: RealmState): number {
  return Math.max(-1, ...[...realm.channelFolders.values()].map(({ place }) => place)) + 1
}
