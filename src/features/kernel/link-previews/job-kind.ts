/** The kind of the jobs that read the pages which a message links to. The subject is the message. */
export const linkPreviewJob = 'link_preview'
