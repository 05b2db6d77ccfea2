import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { combineCrc32, crc32Shift } from './crc32.ts'

const deflate = promisify<Buffer, object, Buffer>(deflateRaw)

/** A segment of its own pays from this size on, in bytes. */
const partFrom = 16_384

/** Up to this size, in bytes, compressing takes longer than it spares. */
const storedUpTo = 1_024

/** A text that goes into many answers: its bytes, and their deflated form once somebody has asked for it. */
export class Part {
  readonly bytes: Buffer
  private segment: Promise<Buffer> | Buffer | undefined
  private sum: Checksum | undefined

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }

  get checksum(): Checksum {
    this.sum ??= checksumOf(this.bytes)
    return this.sum
  }

  /** At once, once it is known. */
  deflated(): Promise<Buffer> | Buffer {
    this.segment ??=
      this.bytes.length <= storedUpTo / 8
        ? storedSegment(this.bytes)
        : this.deflate(constants.Z_DEFAULT_COMPRESSION)
    return this.segment
  }

  private async deflate(level: number) {
    const segment = await deflateSegment(this.bytes, level)
    this.segment = segment
    return segment
  }
}

/** A text in pieces. Strings belong to one answer, Parts to many. */
export type Piece = string | Part

/** A text for many answers: kept deflated if it is long enough, by default 16 KB. */
export function sharedPiece(text: string, from = partFrom): Piece {
  return text.length < from ? text : new Part(text)
}

/** The pieces as one buffer. */
export function joinPieces(pieces: Piece[]): Buffer {
  return Buffer.concat(runsOf(pieces).map((run) => run.bytes))
}

/**
 * The pieces as one gzip member. A Part is deflated only once in its life; everything else quickly, now, in another
 * thread, or not at all if it is short. This works because deflated data may be put together from segments: each ends at
 * a full byte, is not marked as the last one and refers to nothing before it. An empty last block and the checksum of
 * the whole follow.
 */
export async function gzipPieces(pieces: Piece[]): Promise<Buffer> {
  const runs = runsOf(pieces)
  const segments = runs.map((run) => run.deflated())
  const packed = segments.every((segment) => Buffer.isBuffer(segment))
    ? segments
    : await Promise.all(segments)
  let checksum = 0
  let size = 0
  for (const run of runs) {
    const { crc, shift } = run.checksum
    checksum = combineCrc32(checksum, crc, shift)
    size += run.bytes.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(size % 2 ** 32, 4)
  return Buffer.concat([header, ...packed, lastBlock, trailer])
}

/** At least how long the pieces are together, in bytes. */
export function sizeOfPieces(pieces: Piece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.bytes.length),
    0,
  )
}

type Run = { bytes: Buffer; checksum: Checksum; deflated(): Promise<Buffer> | Buffer }

/** `shift`: how it goes behind another one (crc32.ts). */
type Checksum = { crc: number; shift: number }

function checksumOf(bytes: Buffer): Checksum {
  return { crc: crc32(bytes), shift: crc32Shift(bytes.length) }
}

/** Parts as they are, and what stands between them made one. */
function runsOf(pieces: Piece[]): Run[] {
  const runs: Run[] = []
  let between: string[] = []
  const close = () => {
    const bytes = Buffer.from(between.join(''))
    between = []
    if (bytes.length === 0) return
    runs.push({
      bytes,
      get checksum() {
        return checksumOf(bytes)
      },
      deflated: () => quickly(bytes),
    })
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      between.push(piece)
    } else if (piece.bytes.length > 0) {
      close()
      runs.push(piece)
    }
  }
  close()
  return runs
}

function quickly(bytes: Buffer): Promise<Buffer> | Buffer {
  return bytes.length <= storedUpTo ? storedSegment(bytes) : deflateSegment(bytes, constants.Z_BEST_SPEED)
}

/** A block that holds the bytes as they are, behind their number and its complement. */
function storedSegment(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(0xffff - bytes.length, 3)
  return Buffer.concat([head, bytes])
}

function deflateSegment(bytes: Buffer, level: number): Promise<Buffer> {
  // As a rule the result fits into one chunk, so that the other thread need not come back for more room.
  const chunkSize = Math.max(16_384, bytes.length >> 2)
  return deflate(bytes, { level, chunkSize, finishFlush: constants.Z_FULL_FLUSH })
}

/** Method deflate, no name, no time, no particular system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

const lastBlock = Buffer.from([3, 0])
