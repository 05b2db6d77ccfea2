/** The kind of the jobs that create an upload's thumbnails and put them into its messages. */
export const thumbnailJob = 'thumbnail'

/** The kind of the jobs that remove a deleted or unreferenced upload. */
export const removalJob = 'remove_upload'

/** The kind of the job that forgets an organization's expired resumable uploads. */
export const resumableJob = 'resumable_uploads'
