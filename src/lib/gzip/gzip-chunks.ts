import { crc32 } from 'node:zlib'
import { TimeSlice } from '../async/time-slice.ts'
import { libLimits } from '../limits.ts'
import { combineCrc32, crc32Shift } from './crc32.ts'
import { deflateQuickly, deflateWell, storedSegment, storedUpTo } from './deflate-segment.ts'

/** A buffer of this size, in bytes, is deflated as a segment of its own. Smaller ones are joined with their neighbors. */
const ownSegmentFrom = 16_384

/** A part of a response's text. A string, a buffer or a RepeatableText belongs to one response, a SharedChunk to many. */
export type Chunk = string | Buffer | SharedChunk | RepeatableText

/** A chunk that many responses share: its bytes, and their deflated form after its first use. */
export type SharedChunk = {
  /** In bytes. */
  readonly size: number
  readonly bytes: Buffer
  readonly checksum: Checksum
  /** Returns the deflated bytes; without a promise, if they are known already. */
  deflated(): Promise<Buffer> | Buffer
}

/**
 * A text of one response that other responses may repeat. `shared` is called only if the response is compressed. It returns
 * the chunk that is compressed once for all of them; undefined if there is none.
 */
type RepeatableText = { readonly size: number; readonly bytes: Buffer; shared(): SharedChunk | undefined }

/** `shift`: how to append it to another one (crc32.ts). */
type Checksum = { crc: number; shift: number }

/** Returns the text as a shared chunk, however short it is. */
export function sharedChunk(text: string): SharedChunk {
  return new SharedText(text)
}

/** Returns the text as a shared chunk if it has at least `from` characters, and otherwise as it is. */
export function sharedIfLong(text: string, from: number): Chunk {
  return text.length < from ? text : new SharedText(text)
}

/** Joins consecutive chunks of many responses into one. Nothing is deflated again. */
export function joinedChunk(chunks: Chunk[]): SharedChunk {
  return new JoinedChunk(runsOf(chunks))
}

/** Returns the chunks as consecutive buffers. */
export function bytesOf(chunks: Chunk[]): Buffer[] {
  return runsOf(chunks).map((run) => run.bytes)
}

/**
 * Returns the chunks as one gzip member, in consecutive buffers. They are not copied, as large responses consist of the
 * same ones. A shared chunk is deflated only once in its life; everything else is deflated quickly, now, in another
 * thread, or not at all if it is short. This works because deflated data can be concatenated from segments: each ends
 * at a full byte, is not marked as the last one and refers to nothing before it. An empty last block and the checksum
 * of the whole follow.
 */
export async function gzipChunks(chunks: Chunk[]): Promise<Buffer[]> {
  const runs = runsOf(chunks.map((chunk) => (isRepeatable(chunk) ? (chunk.shared() ?? chunk.bytes) : chunk)))
  const { segments, crc } = await deflateAll(runs)
  const end = Buffer.allocUnsafe(lastBlock.length + 8)
  lastBlock.copy(end)
  end.writeUInt32LE(crc, lastBlock.length)
  end.writeUInt32LE(sizeOfAll(runs) % 2 ** 32, lastBlock.length + 4)
  return [header, ...segments, end]
}

/** Returns the size of the chunks in bytes, or less: each character of a string counts as one. */
export function sizeOfChunks(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + (isPlain(chunk) ? chunk.length : chunk.size), 0)
}

/** Whether a chunk belongs to one response. */
export function isOwn(chunk: Chunk): chunk is string | Buffer | RepeatableText {
  return isPlain(chunk) || isRepeatable(chunk)
}

function isPlain(chunk: Chunk): chunk is string | Buffer {
  return typeof chunk === 'string' || Buffer.isBuffer(chunk)
}

function isRepeatable(chunk: Chunk): chunk is RepeatableText {
  return !isPlain(chunk) && 'shared' in chunk
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

class SharedText implements SharedChunk {
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

class JoinedChunk implements SharedChunk {
  readonly size: number
  readonly checksum: Checksum
  private readonly chunks: SharedChunk[]
  private readonly segment = new Segment()

  constructor(chunks: SharedChunk[]) {
    this.chunks = chunks
    this.size = sizeOfAll(chunks)
    this.checksum = checksumOfAll(chunks)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks.map((chunk) => chunk.bytes))
  }

  deflated(): Promise<Buffer> | Buffer {
    return this.segment.get(async () => Buffer.concat((await deflateAll(this.chunks)).segments))
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

function joined(chunks: (string | Buffer)[]): Buffer {
  const isText = chunks.every((chunk) => typeof chunk === 'string')
  return isText ? Buffer.from(chunks.join('')) : Buffer.concat(chunks.map(toBytes))
}

function toBytes(chunk: string | Buffer) {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}

/** Keeps shared chunks and long buffers as they are, and joins the chunks between them. */
function runsOf(chunks: Chunk[]): SharedChunk[] {
  const runs: SharedChunk[] = []
  let texts: (string | Buffer)[] = []
  const close = () => {
    const between = new InlineChunk(joined(texts))
    texts = []
    if (between.size > 0) runs.push(between)
  }
  for (const chunk of chunks) {
    const own = isRepeatable(chunk) ? chunk.bytes : chunk
    if (Buffer.isBuffer(own) && own.length >= ownSegmentFrom) {
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

function sizeOfAll(chunks: SharedChunk[]) {
  return chunks.reduce((sum, chunk) => sum + chunk.size, 0)
}

function checksumOf(bytes: Buffer): Checksum {
  return { crc: crc32(bytes), shift: crc32Shift(bytes.length) }
}

function checksumOfAll(chunks: SharedChunk[]): Checksum {
  let crc = 0
  for (const { checksum } of chunks) crc = combineCrc32(crc, checksum.crc, checksum.shift)
  return { crc, shift: crc32Shift(sizeOfAll(chunks)) }
}

/**
 * Deflates the chunks, a few at the same time and in slices of the event loop's time. A registration may have thousands of chunks that
 * were never deflated: all of them together would keep the threads from reading files, and each takes 256 KB while it is deflated.
 */
async function deflateAll(chunks: SharedChunk[]): Promise<{ segments: Buffer[]; crc: number }> {
  const slice = new TimeSlice()
  const segments: (Promise<Buffer> | Buffer)[] = []
  const underWay = new Set<Promise<void>>()
  let crc = 0
  for (const chunk of chunks) {
    const segment = chunk.deflated()
    segments.push(segment)
    const { checksum } = chunk
    crc = combineCrc32(crc, checksum.crc, checksum.shift)
    if (!Buffer.isBuffer(segment)) {
      const leave = () => void underWay.delete(end)
      const end: Promise<void> = segment.then(leave, leave)
      underWay.add(end)
    }
    if (underWay.size >= libLimits.concurrentDeflates) await Promise.race(underWay)
    if (slice.isOver) await slice.next()
  }
  return { segments: await Promise.all(segments), crc }
}

/** Method deflate, no name, no time, no particular system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

const lastBlock = Buffer.from([3, 0])
