import sharp from 'sharp'
import type { Answer } from './http.ts'
import type { Caller } from './person.ts'

type Strings = Record<string, string>
type File = { name?: string; content: Buffer }

/** A request with files, below /api/v1. */
export function sendFiles(
  who: Caller,
  method: string,
  path: string,
  files: File[],
  { fields = {}, headers: more = {} }: { fields?: Strings; headers?: Strings } = {},
): Promise<Answer> {
  const boundary = 'between-the-parts'
  const head = (disposition: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`
  const parts = [
    ...Object.entries(fields).map(([name, value]) => Buffer.from(`${head(`name="${name}"`)}${value}\r\n`)),
    ...files.flatMap(({ name = 'a.png', content }, i) => [
      Buffer.from(head(`name="f${i}"; filename="${name}"`)),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]
  const headers = { ...more, 'content-type': `multipart/form-data; boundary=${boundary}` }
  return who.raw({ method, path: `/api/v1${path}`, headers, body: Buffer.concat(parts) })
}

/** A picture in one color, as PNG. */
export function png(width = 10, height = width, color = '#c06'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background: color } })
    .png()
    .toBuffer()
}

/** A picture that moves, as GIF. */
export async function gif(size = 20): Promise<Buffer> {
  const frames = await Promise.all(['#f00', '#0f0', '#00f'].map((color) => png(size, size, color)))
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
}

/**
 * Returns a long animation: many tiny frames on a screen of 64 × 64, written byte by byte, as drawing them takes long.
 */
export function longGif(frames: number): Buffer {
  const head = [...Buffer.from('GIF89a'), 64, 0, 64, 0, 0x80, 0, 0, 200, 0, 0, 0, 0, 200]
  const control = [0x21, 0xf9, 4, 0, 1, 0, 0, 0]
  const image = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
  const frame = Buffer.from([...control, ...image])
  return Buffer.concat([Buffer.from(head), ...Array<Buffer>(frames).fill(frame), Buffer.from([0x3b])])
}

/** Returns the content of an address, and the size of the picture. */
export async function look(who: Caller, address: string) {
  const { status, headers, bytes } = await who.raw({ method: 'GET', path: address })
  const { format, width, pageHeight, height, pages } = status === 200 ? await sharp(bytes).metadata() : {}
  return {
    status,
    type: headers['content-type'],
    headers,
    bytes,
    format,
    width,
    height: pageHeight ?? height,
    pages,
  }
}
