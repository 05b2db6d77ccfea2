import type { ClientState, EventType } from '../../../queues/event-type.ts'
import type { FolderView } from './folder-view.ts'

type Add = { type: 'channel_folder'; op: 'add'; channel_folder: FolderView }
type FolderData = Partial<Pick<FolderView, 'name' | 'description' | 'rendered_description' | 'is_archived'>>
type Update = { type: 'channel_folder'; op: 'update'; channel_folder_id: number; data: FolderData }

type ChannelFolderEvent = Add | Update

export function folderAdded(folder: FolderView): Add {
  return { type: 'channel_folder', op: 'add', channel_folder: folder }
}

export function folderUpdated(id: number, data: FolderData): Update {
  return { type: 'channel_folder', op: 'update', channel_folder_id: id, data }
}

declare module '../../../log/entry.ts' {
  interface Events {
    channel_folder: ChannelFolderEvent
  }
}

export const channelFolderEvent = {
  type: 'channel_folder',

  apply(state: ClientState, event: ChannelFolderEvent) {
    if (!state.channel_folders) return
    if (event.op === 'add') state.channel_folders.push(event.channel_folder)
    else Object.assign(state.channel_folders.find(hasId(event.channel_folder_id)) ?? {}, event.data)
  },
} satisfies EventType<ChannelFolderEvent>

function hasId(id: number) {
  return (folder: FolderView) => folder.id === id
}
