import { lastIn } from '../lib/must.ts'
import type { Entry } from '../log/entry.ts'
import type { EventMemory } from './event-memory.ts'
import { queueLimits } from './limits.ts'
import { bytesOfText, ShapedEvent } from './queue.ts'

/** An entry in memory, with its event in each shape that clients have received, by variant. `size`: roughly its bytes, with the shapes. */
export type RememberedEntry = Entry & { shapes: Map<string, ShapedEvent>; size: number; isOutdated?: boolean }

/** The newest entries of a log, in order and without a gap, as many as their limits allow. */
export class RecentEntries {
  private entries: RememberedEntry[] = []
  private readonly memory: EventMemory
  /** The sum of their sizes. */
  private sum = 0
  /** When they were used last; see EventMemory. */
  lastUse = 0

  constructor(memory: EventMemory) {
    this.memory = memory
  }

  /** Roughly how many bytes they take. */
  get size(): number {
    return this.sum
  }

  /** Adds entries. If they do not follow the last one, they replace all. */
  add(entries: RememberedEntry[]) {
    if (this.entries.at(-1)?.id !== entries[0]!.id - 1) this.clear()
    this.entries.push(...entries)
    this.lastUse = this.memory.nextUse()
    this.grow(entries.reduce((sum, { size }) => sum + size, 0))
  }

  clear() {
    this.entries = []
    this.sum = 0
  }

  /** Returns the entries after a number; undefined if some of them are not here, or there are none. */
  after(id: number): RememberedEntry[] | undefined {
    const first = this.entries[0]?.id
    if (first === undefined || id + 1 < first || id >= lastIn(this.entries).id) return undefined
    this.lastUse = this.memory.nextUse()
    return this.entries.slice(id + 1 - first)
  }

  [Symbol.iterator]() {
    return this.entries.values()
  }

  /** Keeps the shape of an entry's event for a variant, as long as the entry itself. */
  addShape(entry: RememberedEntry, kind: string, json: string): ShapedEvent {
    const shape = new ShapedEvent(entry.id, json)
    const size = bytesPerShape + sizeOf(kind) + shape.size
    entry.shapes.set(kind, shape)
    entry.size += size
    if (this.has(entry)) this.grow(size)
    return shape
  }

  private has(entry: RememberedEntry): boolean {
    const first = this.entries[0]?.id
    return first !== undefined && this.entries[entry.id - first] === entry
  }

  private grow(bytes: number) {
    this.sum += bytes
    this.trim()
    this.memory.grow(bytes)
  }

  /** Forgets the oldest entries where there are too many: in large steps, as shifting one by one would copy the array for every event. */
  private trim() {
    const { eventsInMemory, eventBytesInMemory } = queueLimits
    if (this.entries.length <= 2 * eventsInMemory && this.sum <= eventBytesInMemory) return
    let count = Math.max(0, this.entries.length - eventsInMemory)
    let size = this.entries.slice(count).reduce((sum, entry) => sum + entry.size, 0)
    for (; size > eventBytesInMemory / 2; count++) size -= this.entries[count]!.size
    this.entries = this.entries.slice(count)
    this.sum = size
  }
}

/** The bytes of an entry, and of a shape, besides their texts. */
const [bytesPerEntry, bytesPerShape] = [400, 200]

/**
 * Returns an entry as it is remembered: without its rows, which are folded into the state already, and without an event that no user
 * receives, as both may be large.
 */
export function rememberedEntry(entry: Entry): RememberedEntry {
  const { audience, body } = entry
  const isForNobody = audience?.users?.length === 0 && Object.keys(audience).length === 1
  const event = isForNobody ? null : entry.event
  const size = bytesPerEntry + sizeOf(event) + sizeOf(body) + sizeOf(audience)
  return { ...entry, rows: null, event, shapes: new Map(), size }
}

/** Returns roughly how many bytes a value takes in memory. Each message of every organization in memory comes through here. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return bytesOfText(value)
  if (typeof value !== 'object' || value === null) return 8
  let size = 16
  if (Array.isArray(value)) for (const part of value) size += 8 + sizeOf(part)
  else for (const key in value) size += 8 + sizeOf((value as Record<string, unknown>)[key])
  return size
}
