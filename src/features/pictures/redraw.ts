import type { Sharp, SharpOptions } from 'sharp'
import { ApiError } from '../../lib/api-error.ts'
import { limits } from '../../lib/limits.ts'
import { Mutex } from '../../lib/mutex.ts'
import { pictureLibrary, pictureTypes } from './library.ts'

/** `cover` cuts what does not fit into the shape, `inside` keeps all and may stay smaller, in pixels. */
export type Shape = { width: number; height: number; fit: 'cover' | 'inside' }

type RedrawnEmoji = {
  content: Buffer
  suffix: 'png' | 'gif' | 'webp'
  /** Of an animated one, the first of its pictures, as PNG. */
  still: Buffer | undefined
}

/**
 * A picture that somebody sent, drawn anew as PNG in each of these shapes, upright, without whatever else was in the
 * file; of an animated one, the first picture. Throws BAD_IMAGE for what is no picture, or one with too many pixels.
 */
export function redraw(sent: Buffer, shapes: Shape[]): Promise<Buffer[]> {
  return inTurn(sent, async (open) => {
    const drawn: Buffer[] = []
    for (const shape of shapes) drawn.push(await open().rotate().resize(shape).png().toBuffer())
    return drawn
  })
}

/** The same for an emoji, which may move. All of it is kept, on a square. */
export function redrawEmoji(sent: Buffer): Promise<RedrawnEmoji> {
  return inTurn(sent, async (open, { format, pages }) => {
    const square = { width: 64, height: 64, fit: 'contain', background: '#0000' } as const
    const still = await open().rotate().resize(square).png().toBuffer()
    const suffix = format === 'gif' || format === 'webp' ? format : 'png'
    if (pages === 1 || suffix === 'png') return { content: still, suffix: 'png', still: undefined }
    const content = await open({ animated: true }).resize(square).toFormat(suffix).toBuffer()
    return { content, suffix, still }
  })
}

type Open = (options?: SharpOptions) => Sharp
type Kind = { format: string; pages: number }

/** Pictures are drawn one after the other, so that a flood of them leaves the machine to everybody else. */
const turn = new Mutex()

async function inTurn<T>(sent: Buffer, draw: (open: Open, kind: Kind) => Promise<T>): Promise<T> {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(sent).catch(() => undefined)
  if (!type || !pictureTypes.has(type.mime)) throw badImage('Invalid image format')
  const sharp = await pictureLibrary()
  const open: Open = (options) =>
    sharp(sent, { limitInputPixels: limits.picturePixels, ...options }).timeout({
      seconds: limits.pictureSeconds,
    })
  return turn.run(async () => {
    try {
      return await draw(open, await kindOf(open))
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw badImage('Could not decode image; did you upload an image file?')
    }
  })
}

/** Looks at the head of the file, before anything is decoded. */
async function kindOf(open: Open): Promise<Kind> {
  const { format, width, height, pages = 1 } = await open({ limitInputPixels: false }).metadata()
  if (width * height * pages > limits.picturePixels) throw badImage('Image size exceeds limit.')
  return { format, pages }
}

function badImage(message: string) {
  return new ApiError(message, 'BAD_IMAGE')
}
