import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const deflate = promisify<Buffer, object, Buffer>(deflateRaw)

/** Parts below this size (in bytes) are not worth a segment of their own. */
const smallPart = 1024

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
  let between: (string | Buffer)[] = []
  const close = () => {
    const bytes = concat(between)
    between = []
    // Of nothing at all there is no checksum.
    if (bytes.length > 0) runs.push({ bytes, deflated: () => deflateSegment(bytes, constants.Z_BEST_SPEED) })
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      between.push(piece)
    } else if (piece.bytes.length < smallPart) {
      between.push(piece.bytes)
    } else {
      close()
      runs.push(piece)
    }
  }
  close()
  return runs
}

function concat(items: (string | Buffer)[]): Buffer {
  if (items.every((item) => typeof item === 'string')) return Buffer.from(items.join(''))
  return Buffer.concat(items.map((item) => (typeof item === 'string' ? Buffer.from(item) : item)))
}

function deflateSegment(bytes: Buffer, level: number): Promise<Buffer> {
  return deflate(bytes, { level, finishFlush: constants.Z_FULL_FLUSH })
}

/** Method deflate, no name, no time, no particular system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

const lastBlock = Buffer.from([3, 0])
