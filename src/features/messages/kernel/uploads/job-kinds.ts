/** The kind of the jobs that make an upload's thumbnails and put them into its messages. */
export const thumbnailJob = 'thumbnail'

/** The kind of the jobs that remove an upload: one that was deleted, or one that nothing refers to. */
export const removalJob = 'remove_upload'
