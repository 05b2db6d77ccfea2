import { channelFolderEvent } from './channel_folder.event.ts'
import { createChannelFolder } from './create-channel-folder.ts'
import { getChannelFolders } from './get-channel-folders.ts'
import { updateChannelFolder } from './update-channel-folder.ts'

export const endpoints = [createChannelFolder, getChannelFolders, updateChannelFolder]

export const eventTypes = [channelFolderEvent]
