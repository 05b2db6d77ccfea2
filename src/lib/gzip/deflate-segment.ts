import { promisify } from 'node:util'
import { constants, deflateRaw } from 'node:zlib'

const deflate = promisify<Buffer, object, Buffer>(deflateRaw)

/** Up to this size, in bytes, compressing takes longer than it saves. */
export const storedUpTo = 1_024

/** Deflates what is kept. zlib returns a part of a chunk of at least 16 KB, all of which would stay in memory. */
export async function deflateWell(bytes: Buffer): Promise<Buffer> {
  const segment = await deflateSegment(bytes, constants.Z_DEFAULT_COMPRESSION)
  const exact = Buffer.allocUnsafeSlow(segment.length)
  segment.copy(exact)
  return exact
}

/** Deflates what is used once, or stores it if it is short. */
export function deflateQuickly(bytes: Buffer): Promise<Buffer> | Buffer {
  return bytes.length <= storedUpTo ? storedSegment(bytes) : deflateSegment(bytes, constants.Z_BEST_SPEED)
}

/** Returns a block that holds the bytes uncompressed, after their number and its complement. */
export function storedSegment(bytes: Buffer): Buffer {
  const head = Buffer.allocUnsafe(5)
  head[0] = 0
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(0xffff - bytes.length, 3)
  return Buffer.concat([head, bytes])
}

function deflateSegment(bytes: Buffer, level: number): Promise<Buffer> {
  // Normally the result fits into one chunk, so that the other thread does not have to allocate another.
  const chunkSize = Math.max(16_384, bytes.length >> 2)
  return deflate(bytes, { level, chunkSize, finishFlush: constants.Z_FULL_FLUSH })
}
