import type { EventType } from '../../../queues/event-type.ts'
import { applyChannelFolder } from './channel_folder.apply.ts'
import type { FolderView } from './folder-view.ts'

type Add = { type: 'channel_folder'; op: 'add'; channel_folder: FolderView }

type FolderData = Partial<Pick<FolderView, 'name' | 'description' | 'rendered_description' | 'is_archived'>>

type Update = { type: 'channel_folder'; op: 'update'; channel_folder_id: number; data: FolderData }

type Reorder = { type: 'channel_folder'; op: 'reorder'; order: number[] }

type ChannelFolderEvent = Add | Update | Reorder

export function folderAdded(folder: FolderView): Add {
  return { type: 'channel_folder', op: 'add', channel_folder: folder }
}

export function folderUpdated(id: number, data: FolderData): Update {
  return { type: 'channel_folder', op: 'update', channel_folder_id: id, data }
}

/** The ids of all folders in their new order; since level 418. */
export function foldersReordered(order: number[]): Reorder {
  return { type: 'channel_folder', op: 'reorder', order }
}

declare module '../../../log/entry.ts' {
  interface Events {
    channel_folder: ChannelFolderEvent
  }
}

export const channelFolderEvent = {
  type: 'channel_folder',

  apply: applyChannelFolder,
} satisfies EventType<ChannelFolderEvent>
