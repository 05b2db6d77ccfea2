import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/**
 * Draws a square PNG to stand in for a missing picture: a pattern of five by five fields, symmetrical from left to
 * right, in white on a color. Both follow from the seed alone. The color is dark enough to contrast with white (4.5
 * to 1), and light enough to be visible on a black page.
 */
export function drawPattern(seed: string, size: number): Buffer {
  const hash = createHash('sha256').update(seed).digest()
  const isWhite = fieldsOf(hash)
  const field = Math.floor(size / 6)
  const margin = Math.floor((size - 5 * field) / 2)
  const at = (pixel: number) => Math.floor((pixel - margin) / field)
  const row = (y: number) => {
    const line = Buffer.alloc(1 + Math.ceil(size / 8))
    for (let x = 0; x < size; x++) if (isWhite(at(x), at(y))) line[1 + (x >> 3)]! |= 0x80 >> (x & 7)
    return line
  }
  // All pixel rows of one line of fields are the same.
  const rows = new Map<number, Buffer>()
  const lines = Array.from({ length: size }, (_, y) => {
    const key = at(y)
    const known = rows.get(key) ?? row(y)
    rows.set(key, known)
    return known
  })
  return png(size, [colorOf(hash), [255, 255, 255]], Buffer.concat(lines))
}

/** Returns which fields are white: between a third and two thirds of them, so that no picture is empty or full. */
function fieldsOf(hash: Buffer) {
  const ranked = Array.from({ length: 15 }, (_, i) => i).sort(
    (a, b) => hash.readUInt8(a) - hash.readUInt8(b) || a - b,
  )
  const white = new Set(ranked.slice(0, 6 + (hash.readUInt8(15) % 4)))
  return (column: number, line: number) => {
    if (column < 0 || column > 4 || line < 0 || line > 4) return false
    return white.has(3 * line + Math.min(column, 4 - column))
  }
}

/** Returns a color of any hue, as light as the contrast with white allows. */
function colorOf(hash: Buffer): number[] {
  const hue = (hash.readUInt16BE(16) * 360) / 65_536
  const saturation = 0.45 + (hash.readUInt8(18) / 255) * 0.25
  let lightness = 0.6
  while (contrastToWhite(rgb(hue, saturation, lightness)) < 4.5) lightness -= 0.01
  return rgb(hue, saturation, lightness)
}

function rgb(hue: number, saturation: number, lightness: number): number[] {
  const amplitude = saturation * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const k = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - amplitude * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  })
}

/** Returns the contrast as the Web Content Accessibility Guidelines (WCAG) define it. */
function contrastToWhite(color: number[]): number {
  const [red, green, blue] = color.map((value) => {
    const part = value / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** Each pixel is a bit, the index into the palette. Each line begins with a 0: the filter type for unfiltered data. */
function png(size: number, palette: number[][], pixels: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([1, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
