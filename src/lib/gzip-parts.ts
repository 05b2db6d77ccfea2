import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { combineCrc32, crc32Shift } from './crc32.ts'

const deflate = promisify<Buffer, object, Buffer>(deflateRaw)

/** From this size on, in bytes, a segment of its own is worthwhile. */
const partFrom = 16_384

/** Up to this size, in bytes, compressing takes longer than it saves. */
const storedUpTo = 1_024

/** A text in chunks. A string or buffer belongs to one response, a SharedChunk to many. */
export type Chunk = string | Buffer | SharedChunk

/** A text that many responses share: its bytes, and their deflated form after its first use. */
export type SharedChunk = {
  /** In bytes. */
  readonly size: number
  readonly bytes: Buffer
  readonly checksum: Checksum
  /** Returns the bytes immediately if they are known already. */
  deflated(): Promise<Buffer> | Buffer
}

/** `shift`: how to append it to another one (crc32.ts). */
type Checksum = { crc: number; shift: number }

/** Returns the text as a shared chunk, however short it is. */
export function partOf(text: string): SharedChunk {
  return new TextPart(text)
}

/** A text for many responses: kept deflated if it has this many characters. */
export function sharedPiece(text: string, from: number): Chunk {
  return text.length < from ? text : new TextPart(text)
}

/** Joins consecutive chunks of many responses into one. Nothing is deflated again. */
export function joinedPart(pieces: Chunk[]): SharedChunk {
  return new JoinedPart(runsOf(pieces))
}

/** Returns the chunks as consecutive buffers. */
export function bytesOf(pieces: Chunk[]): Buffer[] {
  return runsOf(pieces).map((run) => run.bytes)
}

/**
 * Returns the chunks as one gzip member, in consecutive buffers. They are not copied, as large responses consist of the
 * same ones. A shared chunk is deflated only once in its life; everything else is deflated quickly, now, in another
 * thread, or not at all if it is short. This works because deflated data can be concatenated from segments: each ends
 * at a full byte, is not marked as the last one and refers to nothing before it. An empty last block and the checksum
 * of the whole follow.
 */
export async function gzipPieces(pieces: Chunk[]): Promise<Buffer[]> {
  const runs = runsOf(pieces)
  const { crc } = checksumOfAll(runs)
  const end = Buffer.allocUnsafe(lastBlock.length + 8)
  lastBlock.copy(end)
  end.writeUInt32LE(crc, lastBlock.length)
  end.writeUInt32LE(sizeOfAll(runs) % 2 ** 32, lastBlock.length + 4)
  return [header, ...(await deflatedOfAll(runs)), end]
}

/** At least how long the pieces are together, in bytes. */
export function sizeOfPieces(pieces: Chunk[]): number {
  return pieces.reduce((sum, piece) => sum + (isOwn(piece) ? piece.length : piece.size), 0)
}

/** Whether a chunk belongs to one response. */
export function isOwn(piece: Chunk): piece is string | Buffer {
  return typeof piece === 'string' || Buffer.isBuffer(piece)
}

class TextPart implements SharedChunk {
  readonly bytes: Buffer
  private segment: Promise<Buffer> | Buffer | undefined
  private sum: Checksum | undefined

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }

  get size(): number {
    return this.bytes.length
  }

  get checksum(): Checksum {
    this.sum ??= checksumOf(this.bytes)
    return this.sum
  }

  deflated(): Promise<Buffer> | Buffer {
    this.segment ??= this.size <= storedUpTo / 8 ? storedSegment(this.bytes) : this.deflate()
    return this.segment
  }

  private async deflate() {
    const segment = await deflateSegment(this.bytes, constants.Z_DEFAULT_COMPRESSION)
    this.segment = segment
    return segment
  }
}

class JoinedPart implements SharedChunk {
  readonly size: number
  readonly checksum: Checksum
  private readonly parts: SharedChunk[]
  private segment: Promise<Buffer> | Buffer | undefined

  constructor(parts: SharedChunk[]) {
    this.parts = parts
    this.size = sizeOfAll(parts)
    this.checksum = checksumOfAll(parts)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.parts.map((part) => part.bytes))
  }

  deflated(): Promise<Buffer> | Buffer {
    this.segment ??= this.join()
    return this.segment
  }

  private async join() {
    const segment = Buffer.concat(await deflatedOfAll(this.parts))
    this.segment = segment
    return segment
  }
}

/** A chunk that belongs to one response only. */
class InlineChunk implements SharedChunk {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  get size() {
    return this.bytes.length
  }

  get checksum() {
    return checksumOf(this.bytes)
  }

  deflated() {
    return quickly(this.bytes)
  }
}

function joined(pieces: (string | Buffer)[]): Buffer {
  const isText = pieces.every((piece) => typeof piece === 'string')
  return isText ? Buffer.from(pieces.join('')) : Buffer.concat(pieces.map(toBytes))
}

function toBytes(piece: string | Buffer) {
  return typeof piece === 'string' ? Buffer.from(piece) : piece
}

/** Keeps shared chunks and long buffers as they are, and joins what stands between them. */
function runsOf(pieces: Chunk[]): SharedChunk[] {
  const runs: SharedChunk[] = []
  let texts: (string | Buffer)[] = []
  const close = () => {
    const between = new InlineChunk(joined(texts))
    texts = []
    if (between.size > 0) runs.push(between)
  }
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece) && piece.length >= partFrom) {
      close()
      runs.push(new InlineChunk(piece))
    } else if (isOwn(piece)) {
      texts.push(piece)
    } else if (piece.size > 0) {
      close()
      runs.push(piece)
    }
  }
  close()
  return runs
}

function sizeOfAll(parts: SharedChunk[]) {
  return parts.reduce((sum, part) => sum + part.size, 0)
}

function checksumOf(bytes: Buffer): Checksum {
  return { crc: crc32(bytes), shift: crc32Shift(bytes.length) }
}

function checksumOfAll(parts: SharedChunk[]): Checksum {
  let crc = 0
  for (const { checksum } of parts) crc = combineCrc32(crc, checksum.crc, checksum.shift)
  return { crc, shift: crc32Shift(sizeOfAll(parts)) }
}

/** Returns immediately if all are known. */
function deflatedOfAll(parts: SharedChunk[]): Promise<Buffer[]> | Buffer[] {
  const segments = parts.map((part) => part.deflated())
  return segments.every((segment) => Buffer.isBuffer(segment)) ? segments : Promise.all(segments)
}

function quickly(bytes: Buffer): Promise<Buffer> | Buffer {
  return bytes.length <= storedUpTo ? storedSegment(bytes) : deflateSegment(bytes, constants.Z_BEST_SPEED)
}

/** Returns a block that holds the bytes uncompressed, after their number and its complement. */
function storedSegment(bytes: Buffer): Buffer {
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

/** Method deflate, no name, no time, no particular system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

const lastBlock = Buffer.from([3, 0])
