import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflate = promisify<Buffer, object, Buffer>(deflateRaw)

/** A segment of its own pays from this size on, in bytes. */
const partFrom = 16_384

/** A text that goes into many answers: its bytes, and their deflated form once somebody has asked for it. */
export class Part {
  readonly bytes: Buffer
  private segment: Promise<Buffer> | undefined

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }

  deflated(): Promise<Buffer> {
    this.segment ??= deflateSegment(this.bytes, constants.Z_DEFAULT_COMPRESSION)
    return this.segment
  }
}

/** A text in pieces. Strings belong to one answer, Parts to many. */
export type Piece = string | Part

/** A text for many answers: kept deflated if it is long enough. */
export function sharedPiece(text: string): Piece {
  return text.length < partFrom ? text : new Part(text)
}

/** The pieces as one buffer. */
export function joinPieces(pieces: Piece[]): Buffer {
  return Buffer.concat(runsOf(pieces).map((run) => run.bytes))
}

/**
 * The pieces as one gzip member. A Part is deflated only once in its life; everything else quickly, now, in another
 * thread. This works because deflated data may be put together from segments: each ends at a full byte, is not marked
 * as the last one and refers to nothing before it. An empty last block and the checksum of the whole follow.
 */
export async function gzipPieces(pieces: Piece[]): Promise<Buffer> {
  const runs = runsOf(pieces)
  const segments = await Promise.all(runs.map((run) => run.deflated()))
  let checksum = 0
  let size = 0
  for (const { bytes } of runs) {
    checksum = crc32(bytes, checksum)
    size += bytes.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(size % 2 ** 32, 4)
  return Buffer.concat([header, ...segments, lastBlock, trailer])
}

/** At least how long the pieces are together, in bytes. */
export function sizeOfPieces(pieces: Piece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.bytes.length),
    0,
  )
}

type Run = { bytes: Buffer; deflated(): Promise<Buffer> }

/** Parts as they are, and what stands between them made one. */
function runsOf(pieces: Piece[]): Run[] {
  const runs: Run[] = []
  let between: string[] = []
  const close = () => {
    const bytes = Buffer.from(between.join(''))
    between = []
    // Of nothing at all there is no checksum.
    if (bytes.length > 0) runs.push({ bytes, deflated: () => deflateSegment(bytes, constants.Z_BEST_SPEED) })
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

function deflateSegment(bytes: Buffer, level: number): Promise<Buffer> {
  // As a rule the result fits into one chunk, so that the other thread need not come back for more room.
  const chunkSize = Math.max(16_384, bytes.length >> 2)
  return deflate(bytes, { level, chunkSize, finishFlush: constants.Z_FULL_FLUSH })
}

/** Method deflate, no name, no time, no particular system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

const lastBlock = Buffer.from([3, 0])
