import type { AttachmentRow } from '../../../../db/schema.ts'
import { firstIn } from '../../../../lib/must.ts'
import type { Picture } from '../../../../markdown/render.ts'

/** The formats of thumbnails: `server_thumbnail_formats` of POST /register (level 273). */
export const thumbnailFormats = [
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
] as const

export type ThumbnailFormat = (typeof thumbnailFormats)[number]

/** Returns the formats for a picture. A still picture has no animated thumbnail. */
export function formatsOf({ is_animated }: { is_animated?: boolean | undefined }): ThumbnailFormat[] {
  return thumbnailFormats.filter((format) => is_animated || !format.animated)
}

/** The known facts about an upload; fewer if it is no picture. */
type PictureColumns = Pick<AttachmentRow, 'path' | 'content_type' | 'thumbnail'> &
  Partial<Pick<AttachmentRow, 'width' | 'height' | 'is_animated'>>

/** Returns an upload as the renderer shows it, or undefined if it is not a picture or has no thumbnails. */
export function pictureOf(row: PictureColumns): Picture | undefined {
  if (!row.width || !row.height || row.thumbnail === 'failed') return undefined
  const { content_type: contentType, width, height, is_animated: animated } = row
  return {
    contentType,
    width,
    height,
    animated: animated ?? false,
    ...(row.thumbnail === 'made' && { thumbnail: thumbnailUrl(row) }),
  }
}

/** Returns the address of the thumbnail that messages show. */
function thumbnailUrl(row: Pick<PictureColumns, 'path' | 'is_animated'>): string {
  return `/user_uploads/thumbnail/${row.path}/${firstIn(formatsOf(row)).name}`
}
