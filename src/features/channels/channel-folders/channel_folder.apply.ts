import type { ClientState } from '../../../queues/client-state.ts'

type Folder = { id: number }
type FolderEvent =
  | { op: 'add'; channel_folder: Folder }
  | { op: 'update'; channel_folder_id: number; data: object }
  | { op: 'reorder'; order: number[] }

export function applyChannelFolder(state: ClientState, event: FolderEvent) {
  if (!state.channel_folders) return
  if (event.op === 'add') state.channel_folders.push(event.channel_folder)
  else if (event.op === 'reorder') {
    const place = new Map(event.order.map((id, place) => [id, place]))
    state.channel_folders.sort((a: Folder, b: Folder) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0))
  } else Object.assign(state.channel_folders.find(hasId(event.channel_folder_id)) ?? {}, event.data)
}

function hasId(id: number) {
  return (folder: Folder) => folder.id === id
}
