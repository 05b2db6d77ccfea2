import { channelFolderEvent } from './channel_folder.event.ts'
import { createChannelFolder } from './create-channel-folder.ts'
import { getChannelFolders } from './get-channel-folders.ts'
import { reorderChannelFolders } from './reorder-channel-folders.ts'
import { updateChannelFolder } from './update-channel-folder.ts'

export const endpoints = [createChannelFolder, getChannelFolders, reorderChannelFolders, updateChannelFolder]

export const eventTypes = [channelFolderEvent]
