import type { Document } from '../../../http/responses/document.ts'
import { pictureLibrary } from './library.ts'

/**
 * Returns a drawing (SVG) of the server's own as a square PNG, since not every client can show SVG. The PNG is drawn on
 * the first request and cached.
 */
export function drawingAsPng(path: string, drawing: string, pixels: number): Document {
  let picture: Promise<Buffer> | undefined
  return {
    path,
    contentType: 'image/png',
    maxAge: 86_400,
    body() {
      picture ??= draw(drawing, pixels)
      return picture
    },
  }
}

async function draw(drawing: string, pixels: number) {
  const sharp = await pictureLibrary()
  return sharp(Buffer.from(drawing)).resize(pixels, pixels).png().toBuffer()
}
