import { attachmentEvent } from '../kernel/uploads/attachment.event.ts'
import { appendResumable } from './append-resumable.ts'
import { createResumable } from './create-resumable.ts'
import { downloadUpload } from './download-upload.ts'
import { endResumableUpload } from './end-resumable.ts'
import { expiringResumable } from './expire-resumable.ts'
import { getAttachments } from './get-attachments.ts'
import { getExternalContent } from './get-external-content.ts'
import { getResumable } from './get-resumable.ts'
import { getTemporaryUrl } from './get-temporary-url.ts'
import { getThumbnail } from './get-thumbnail.ts'
import { getUpload } from './get-upload.ts'
import { loadingPicture } from './loading-picture.ts'
import { thumbnailing } from './make-thumbnails.ts'
import { openTemporaryUrl } from './open-temporary-url.ts'
import { removeAttachment } from './remove-attachment.ts'
import { removing } from './remove-upload.ts'
import { uploadFile } from './upload-file.ts'

export const endpoints = [
  uploadFile,
  getTemporaryUrl,
  getUpload,
  downloadUpload,
  openTemporaryUrl,
  getThumbnail,
  getExternalContent,
  getAttachments,
  removeAttachment,
  createResumable,
  getResumable,
  appendResumable,
  endResumableUpload,
]

export const eventTypes = [attachmentEvent]

export const jobHandlers = [thumbnailing, removing, expiringResumable]

export const documents = [loadingPicture]
