/** The limits of channel folders. */
export const folderLimits = {
  /** Characters of a folder's name. */
  channelFolderNameLength: 60,
  /** Characters of a folder's description. */
  channelFolderDescriptionLength: 1024,
} as const
