import { messageLimits } from './limits.ts'

/** Part of a message as JSON: valid while no row has changed, or as long as it is made of the same texts. */
export type MessageSegment = {
  /** Unique among all segments. */
  readonly number: number
  changedAt: number
  readonly texts: readonly string[]
  readonly bytes: Buffer
}

let made = 0

export function newSegment(changedAt: number, texts: readonly string[], bytes: Buffer): MessageSegment {
  return { number: ++made, changedAt, texts, bytes }
}

/** A cache that holds a message, and counts its bytes. */
export type Holder = { charge(id: number, bytes: number): void }

/** The segments of a message in memory, by kind of reader. They count as part of what holds the message. */
export class MessageSegments {
  /** How many bytes they take. */
  size = 0
  private readonly holder: Holder
  private readonly byKind = new Map<string, MessageSegment>()

  constructor(holder: Holder) {
    this.holder = holder
  }

  get(kind: string): MessageSegment | undefined {
    return this.byKind.get(kind)
  }

  /** Keeps a segment of the message with this id. */
  put(id: number, kind: string, segment: MessageSegment) {
    if (!this.byKind.has(kind) && this.byKind.size >= messageLimits.kindsOfReaders) this.byKind.clear()
    this.byKind.set(kind, segment)
    const before = this.size
    this.size = [...this.byKind.values()].reduce((sum, each) => sum + sizeOf(each), 0)
    this.holder.charge(id, this.size - before)
  }
}

/** Texts have up to two bytes a character. */
function sizeOf({ texts, bytes }: MessageSegment): number {
  return 500 + bytes.length + 2 * lengthOf(texts)
}

export function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}
