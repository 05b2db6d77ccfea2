import type { ClientState } from '../../../queues/client-state.ts'

type Folder = { id: number }
type FolderEvent =
  | { op: 'add'; channel_folder: Folder }
  | { op: 'update'; channel_folder_id: number; data: object }

export function applyChannelFolder(state: ClientState, event: FolderEvent) {
  if (!state.channel_folders) return
  if (event.op === 'add') state.channel_folders.push(event.channel_folder)
  else Object.assign(state.channel_folders.find(hasId(event.channel_folder_id)) ?? {}, event.data)
}

function hasId(id: number) {
  return (folder: Folder) => folder.id === id
}
