import type { Sharp, SharpOptions } from 'sharp'
import type { ReceivedFile } from '../../../../http/body/files.ts'
import { ApiError } from '../../../../lib/api-error.ts'
import { pictureLibrary, pictureTypes } from '../../../kernel/pictures/library.ts'
import { type Drawer, drawingSlots, withSlot } from './drawing-slots.ts'
import { pictureLimits } from './limits.ts'

/** A target size in pixels. `cover` crops the picture to the shape; `inside` keeps all of it and may stay smaller. */
export type Shape = { width: number; height: number; fit: 'cover' | 'inside' }

/** A picture that came with a request. It is read when it is drawn, since other pictures may have to be drawn first. */
export type SentPicture = Pick<ReceivedFile, 'bytes'>

type RedrawnEmoji = {
  content: Buffer
  suffix: 'png' | 'gif' | 'webp'
  /** The first frame of an animated picture, as PNG. */
  still: Buffer | undefined
}

/**
 * Redraws an uploaded picture as an upright PNG in each of these shapes, without any other data of the file. Of an
 * animated picture, it draws the first frame. Throws BAD_IMAGE if the file is not a picture or has too many pixels.
 */
export function redraw(drawer: Drawer, sent: SentPicture, shapes: Shape[]): Promise<Buffer[]> {
  return draw(drawer, sent, async (open) => {
    const drawn: Buffer[] = []
    for (const shape of shapes) drawn.push(await open().rotate().resize(shape).png().toBuffer())
    return drawn
  })
}

/** Redraws an emoji, which may be animated. It keeps all of the picture, on a square. */
export function redrawEmoji(drawer: Drawer, sent: SentPicture): Promise<RedrawnEmoji> {
  return draw(drawer, sent, async (open, { format, pages }) => {
    const square = { width: 64, height: 64, fit: 'contain', background: '#0000' } as const
    const suffix = format === 'gif' || format === 'webp' ? format : 'png'
    const moves = pages > 1 && suffix !== 'png'
    if (moves && pages > pictureLimits.emojiFrames) throw badImage(tooManyFrames)
    const still = await open().rotate().resize(square).png().toBuffer()
    if (!moves) return { content: still, suffix: 'png', still: undefined }
    const content = await open({ animated: true }).resize(square).toFormat(suffix).toBuffer()
    return { content, suffix, still }
  })
}

const tooManyFrames = `An animated emoji may have at most ${pictureLimits.emojiFrames} frames.`

type Open = (options?: SharpOptions) => Sharp
type Kind = { format: string; pages: number }

function draw<T>(
  drawer: Drawer,
  picture: SentPicture,
  work: (open: Open, kind: Kind) => Promise<T>,
): Promise<T> {
  return withSlot(drawingSlots, drawer, async () => {
    const sent = await picture.bytes()
    await checkType(sent)
    const sharp = await pictureLibrary()
    const open: Open = (options) =>
      sharp(sent, { limitInputPixels: pictureLimits.picturePixels, ...options }).timeout({
        seconds: pictureLimits.pictureSeconds,
      })
    try {
      return await work(open, await kindOf(open))
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw badImage('Could not decode image; did you upload an image file?')
    }
  })
}

async function checkType(sent: Buffer) {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(sent).catch(() => undefined)
  if (!type || !pictureTypes.has(type.mime)) throw badImage('Invalid image format')
}

/** Reads the file's header before anything is decoded. */
async function kindOf(open: Open): Promise<Kind> {
  const { format, width, height, pages = 1 } = await open({ limitInputPixels: false }).metadata()
  if (width * height * pages > pictureLimits.picturePixels) throw badImage('Image size exceeds limit.')
  return { format, pages }
}

function badImage(message: string) {
  return new ApiError(message, 'BAD_IMAGE')
}
