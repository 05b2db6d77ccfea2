import type { FileStore } from '../../../adapters/files/file-store.ts'
import type { AttachmentRow } from '../../../db/schema.ts'
import { FileAnswer } from '../../../http/responses/answer-kinds.ts'
import { isShown } from './content-types.ts'
import { contentPath } from './paths.ts'

/**
 * Returns the response with an upload. Browsers show it inline if that is safe, and save it otherwise or on request.
 */
export function uploadAnswer(files: FileStore, row: AttachmentRow, { save = false } = {}): FileAnswer {
  const contentType = row.content_type === 'text/plain' ? 'text/plain; charset=utf-8' : row.content_type
  return new FileAnswer((range) => files.open(contentPath(row.path), range), {
    contentType,
    size: row.size,
    disposition: save || !isShown(row.content_type) ? { saveAs: row.name } : 'inline',
    etag: `${row.id}`,
    cacheControl: 'private, max-age=86400, immutable',
  })
}
