import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FileStore } from '../../lib/file-store.ts'
import { limits } from '../../lib/limits.ts'
import { Mutex } from '../../lib/mutex.ts'
import { pictureLibrary, pictureTypes } from '../pictures/library.ts'
import { thumbnailPath } from './paths.ts'
import { formatsOf, type ThumbnailFormat } from './thumbnails.ts'

/** Upright, in pixels. */
type Measures = { width: number; height: number; is_animated: boolean }

/**
 * Looks at the head of a file that may be a picture, without decoding it. Undefined if it is none, or larger than we
 * make thumbnails of.
 */
export async function measure(
  contentType: string,
  size: number,
  read: () => Readable,
): Promise<Measures | undefined> {
  if (!pictureTypes.has(contentType) || size > limits.thumbnailSourceMib * 1024 * 1024) return undefined
  const sharp = await pictureLibrary()
  try {
    const look = async () => sharp(await buffer(read()), { limitInputPixels: false }).metadata()
    const found = await looking.run(look)
    const { width, height } = found.autoOrient
    const pages = found.pages ?? 1
    // A TIFF has its pages one after the other, which does not make them move.
    const is_animated = pages > 1 && contentType !== 'image/tiff'
    if (width * height > limits.picturePixels) return undefined
    return { width, height, is_animated }
  } catch {
    return undefined
  }
}

/** One file after the other, so that few of them are in memory at the same time. */
const looking = new Mutex()

/** Whether drawing it takes so little that whoever uploads it can wait for it: a screenshot, say. */
export function isSmall({ width, height, is_animated }: Measures): boolean {
  return !is_animated && width * height <= limits.thumbnailAtOncePixels
}

/**
 * Makes the thumbnails of a picture. One that cannot be decoded is none; that is not a reason to try again. `read`: its
 * content; undefined if it is not there any more.
 */
export function storeThumbnails(
  files: FileStore,
  picture: Measures & { path: string },
  read: () => Promise<Readable | undefined>,
): Promise<'made' | 'failed'> {
  return turn.run(async () => {
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

/** Pictures are drawn one after the other, so that a flood of them leaves memory and machine to everybody else. */
const turn = new Mutex()

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
