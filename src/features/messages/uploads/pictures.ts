import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../../../adapters/files/file-store.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { pictureLibrary, pictureTypes } from '../../kernel/pictures/library.ts'
import {
  type Drawer,
  drawingSlots,
  inspectionSlots,
  withSlot,
} from '../../organization/kernel/pictures/drawing-slots.ts'
import { pictureLimits } from '../../organization/kernel/pictures/limits.ts'
import { formatsOf, type ThumbnailFormat } from '../kernel/uploads/thumbnails.ts'
import { uploadLimits } from './limits.ts'
import { thumbnailPath } from './paths.ts'

/** The size in pixels, in upright orientation. */
export type Measures = { width: number; height: number; is_animated: boolean }

/**
 * Reads the head of a possible picture without decoding it. Returns undefined if it is not a picture, or too large for
 * thumbnails.
 */
export async function measure(
  drawer: Drawer,
  contentType: string,
  size: number,
  read: () => Readable,
): Promise<Measures | undefined> {
  if (!pictureTypes.has(contentType) || size > uploadLimits.thumbnailSourceMib * 1024 * 1024) return undefined
  const sharp = await pictureLibrary()
  try {
    const look = async () => sharp(await buffer(read()), { limitInputPixels: false }).metadata()
    const found = await withSlot(inspectionSlots, drawer, look)
    const { width, height } = found.autoOrient
    const pages = found.pages ?? 1
    // A TIFF with several pages is not animated.
    const is_animated = pages > 1 && contentType !== 'image/tiff'
    if (width * height > pictureLimits.picturePixels) return undefined
    return { width, height, is_animated }
  } catch (error) {
    if (error instanceof ApiError) throw error
    return undefined
  }
}

/** Returns whether thumbnails are so cheap that the uploader can wait for them, as for a screenshot. */
export function isSmall({ width, height, is_animated }: Measures): boolean {
  return !is_animated && width * height <= uploadLimits.immediateThumbnailPixels
}

/**
 * Creates the thumbnails of a picture under the semaphore. Throws NoFreeSlot if the semaphore is not free within the
 * given number of seconds. A picture that cannot be decoded has no thumbnails, and this is not a reason to retry.
 * `read` returns its content, or undefined if it no longer exists.
 */
export function storeThumbnails(
  { caller, gone }: Drawer,
  seconds: number,
  files: FileStore,
  picture: Measures & { path: string },
  read: () => Promise<Readable | undefined>,
): Promise<'made' | 'failed'> {
  return drawingSlots.run(caller, seconds, gone, async () => {
    const source = await read()
    if (!source) return 'failed'
    const content = await buffer(source)
    for (const format of formatsOf(picture)) {
      const drawn = await draw(content, format).catch(() => undefined)
      if (!drawn) return 'failed'
      await files.put(thumbnailPath(picture.path, format.name), drawn)
    }
    return 'made'
  })
}

/** Draws a thumbnail in upright orientation and without metadata. */
async function draw(content: Buffer, format: ThumbnailFormat): Promise<Buffer> {
  const sharp = await pictureLibrary()
  const pages = format.animated
    ? pagesToDraw(await sharp(content, { limitInputPixels: false }).metadata())
    : 1
  return sharp(content, { limitInputPixels: pictureLimits.picturePixels, pages })
    .timeout({ seconds: pictureLimits.pictureSeconds })
    .autoOrient()
    .resize({ width: format.max_width, height: format.max_height, fit: 'inside', withoutEnlargement: true })
    .webp()
    .toBuffer()
}

/** Returns how many frames of an animated picture its thumbnail has: as many as the drawing budget allows. */
function pagesToDraw({ width, height, pages = 1 }: { width: number; height: number; pages?: number }) {
  const most = Math.floor(pictureLimits.picturePixels / (width * height))
  return Math.max(1, Math.min(pages, uploadLimits.thumbnailPages, most))
}
