import { crc32 } from 'node:zlib'
import { TimeSlice } from '../async/time-slice.ts'
import { libLimits } from '../limits.ts'
import { combineCrc32, crc32Shift } from './crc32.ts'
import { deflateQuickly, deflateWell, storedSegment, storedUpTo } from './deflate-segment.ts'

/** From this size on, in bytes, a segment of its own is worthwhile. */
const partFrom = 16_384

/** A text in chunks. A string, a buffer or an AlikeText belongs to one response, a SharedChunk to many. */
export type Chunk = string | Buffer | SharedChunk | AlikeText

/** A text that many responses share: its bytes, and their deflated form after its first use. */
export type SharedChunk = {
  /** In bytes. */
  readonly size: number
  readonly bytes: Buffer
  readonly checksum: Checksum
  /** Returns the bytes immediately if they are known already. */
  deflated(): Promise<Buffer> | Buffer
}

/**
 * A text of one response that other responses may repeat. `shared` is called only if the response is compressed. It returns
 * the chunk that is compressed once for all of them; undefined if there is none.
 */
type AlikeText = { readonly size: number; readonly bytes: Buffer; shared(): SharedChunk | undefined }

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
  const runs = runsOf(pieces.map((piece) => (isAlike(piece) ? (piece.shared() ?? piece.bytes) : piece)))
  const { segments, crc } = await deflatedOfAll(runs)
  const end = Buffer.allocUnsafe(lastBlock.length + 8)
  lastBlock.copy(end)
  end.writeUInt32LE(crc, lastBlock.length)
  end.writeUInt32LE(sizeOfAll(runs) % 2 ** 32, lastBlock.length + 4)
  return [header, ...segments, end]
}

/** At least how long the pieces are together, in bytes. */
export function sizeOfPieces(pieces: readonly Chunk[]): number {
  return pieces.reduce((sum, piece) => sum + (isPlain(piece) ? piece.length : piece.size), 0)
}

/** Whether a chunk belongs to one response. */
export function isOwn(piece: Chunk): piece is string | Buffer | AlikeText {
  return isPlain(piece) || isAlike(piece)
}

function isPlain(piece: Chunk): piece is string | Buffer {
  return typeof piece === 'string' || Buffer.isBuffer(piece)
}

function isAlike(piece: Chunk): piece is AlikeText {
  return !isPlain(piece) && 'shared' in piece
}

/** A deflated segment that is made once. If that fails, the next use tries again. */
class Segment {
  private made: Promise<Buffer> | Buffer | undefined

  get(make: () => Promise<Buffer> | Buffer): Promise<Buffer> | Buffer {
    this.made ??= this.keep(make())
    return this.made
  }

  private keep(segment: Promise<Buffer> | Buffer) {
    if (Buffer.isBuffer(segment)) return segment
    return segment.then(
      (bytes) => {
        this.made = bytes
        return bytes
      },
      (error) => {
        this.made = undefined
        throw error
      },
    )
  }
}

class TextPart implements SharedChunk {
  readonly bytes: Buffer
  private readonly segment = new Segment()
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
    const isShort = this.size <= storedUpTo / 8
    return this.segment.get(() => (isShort ? storedSegment(this.bytes) : deflateWell(this.bytes)))
  }
}

/** The deflated form of a text, whose bytes are not kept: those who need it have them. */
export class DeflatedText {
  private readonly segment = new Segment()
  private readonly noteKept: (bytes: number) => void
  private sum: Checksum | undefined

  /** `noteKept` is called with how many bytes are kept. */
  constructor(noteKept: (bytes: number) => void) {
    this.noteKept = noteKept
  }

  /** Returns the text with these bytes, always the same, as a chunk. */
  chunk(bytes: Buffer): SharedChunk {
    this.sum ??= checksumOf(bytes)
    const deflated = () => this.segment.get(() => this.deflate(bytes))
    return { size: bytes.length, bytes, checksum: this.sum, deflated }
  }

  private async deflate(bytes: Buffer): Promise<Buffer> {
    const segment = await deflateWell(bytes)
    this.noteKept(segment.length)
    return segment
  }
}

class JoinedPart implements SharedChunk {
  readonly size: number
  readonly checksum: Checksum
  private readonly parts: SharedChunk[]
  private readonly segment = new Segment()

  constructor(parts: SharedChunk[]) {
    this.parts = parts
    this.size = sizeOfAll(parts)
    this.checksum = checksumOfAll(parts)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.parts.map((part) => part.bytes))
  }

  deflated(): Promise<Buffer> | Buffer {
    return this.segment.get(async () => Buffer.concat((await deflatedOfAll(this.parts)).segments))
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
    return deflateQuickly(this.bytes)
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
    const own = isAlike(piece) ? piece.bytes : piece
    if (Buffer.isBuffer(own) && own.length >= partFrom) {
      close()
      runs.push(new InlineChunk(own))
    } else if (isPlain(own)) {
      texts.push(own)
    } else if (own.size > 0) {
      close()
      runs.push(own)
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

/**
 * Deflates the parts, a few at the same time and in slices of the event loop's time. A registration may have thousands of parts that
 * were never deflated: all of them together would keep the threads from reading files, and each takes 256 KB while it is deflated.
 */
async function deflatedOfAll(parts: SharedChunk[]): Promise<{ segments: Buffer[]; crc: number }> {
  const slice = new TimeSlice()
  const segments: (Promise<Buffer> | Buffer)[] = []
  const underWay = new Set<Promise<void>>()
  let crc = 0
  for (const part of parts) {
    const segment = part.deflated()
    segments.push(segment)
    const { checksum } = part
    crc = combineCrc32(crc, checksum.crc, checksum.shift)
    if (!Buffer.isBuffer(segment)) {
      const leave = () => void underWay.delete(end)
      const end: Promise<void> = segment.then(leave, leave)
      underWay.add(end)
    }
    if (underWay.size >= libLimits.deflatedAtOnce) await Promise.race(underWay)
    if (slice.isOver) await slice.next()
  }
  return { segments: await Promise.all(segments), crc }
}

/** Method deflate, no name, no time, no particular system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

const lastBlock = Buffer.from([3, 0])
