import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../../../adapters/files/file-store.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { limits } from '../../../lib/limits.ts'
import { pictureLibrary, pictureTypes } from '../../kernel/pictures/library.ts'
import {
  type Drawer,
  drawingTurns,
  inTurn,
  lookingTurns,
} from '../../organization/kernel/pictures/drawing-turns.ts'
import { formatsOf, type ThumbnailFormat } from '../kernel/uploads/thumbnails.ts'
import { thumbnailPath } from './paths.ts'

/** Upright, in pixels. */
export type Measures = { width: number; height: number; is_animated: boolean }

/**
 * Looks at the head of a file that may be a picture, without decoding it. Undefined if it is none, or larger than we
 * make thumbnails of.
 */
export async function measure(
  drawer: Drawer,
  contentType: string,
  size: number,
  read: () => Readable,
): Promise<Measures | undefined> {
  if (!pictureTypes.has(contentType) || size > limits.thumbnailSourceMib * 1024 * 1024) return undefined
  const sharp = await pictureLibrary()
  try {
    const look = async () => sharp(await buffer(read()), { limitInputPixels: false }).metadata()
    const found = await inTurn(lookingTurns, drawer, look)
    const { width, height } = found.autoOrient
    const pages = found.pages ?? 1
    // A TIFF has its pages one after the other, which does not make them move.
    const is_animated = pages > 1 && contentType !== 'image/tiff'
    if (width * height > limits.picturePixels) return undefined
    return { width, height, is_animated }
  } catch (error) {
    if (error instanceof ApiError) throw error
    return undefined
  }
}

/** Whether drawing it takes so little that whoever uploads it can wait for it: a screenshot, say. */
export function isSmall({ width, height, is_animated }: Measures): boolean {
  return !is_animated && width * height <= limits.thumbnailAtOncePixels
}

/**
 * Makes the thumbnails of a picture, when it is the person's turn; throws TurnMissed if that does not come within so many
 * seconds. One that cannot be decoded has none; that is not a reason to try again. `read`: its content; undefined if it is
 * not there any more.
 */
export function storeThumbnails(
  { caller, gone }: Drawer,
  seconds: number,
  files: FileStore,
  picture: Measures & { path: string },
  read: () => Promise<Readable | undefined>,
): Promise<'made' | 'failed'> {
  return drawingTurns.run(caller, seconds, gone, async () => {
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

/** Upright, and without whatever else is in the file. */
async function draw(content: Buffer, format: ThumbnailFormat): Promise<Buffer> {
  const sharp = await pictureLibrary()
  const pages = format.animated
    ? pagesToDraw(await sharp(content, { limitInputPixels: false }).metadata())
    : 1
  return sharp(content, { limitInputPixels: limits.picturePixels, pages })
    .timeout({ seconds: limits.pictureSeconds })
    .autoOrient()
    .resize({ width: format.max_width, height: format.max_height, fit: 'inside', withoutEnlargement: true })
    .webp()
    .toBuffer()
}

/** How many pictures of an animated one its thumbnail has: as many as are not too much to draw. */
function pagesToDraw({ width, height, pages = 1 }: { width: number; height: number; pages?: number }) {
  const most = Math.floor(limits.picturePixels / (width * height))
  return Math.max(1, Math.min(pages, limits.thumbnailPages, most))
}
