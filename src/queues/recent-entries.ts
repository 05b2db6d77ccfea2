import { lastIn } from '../lib/must.ts'
import type { Entry } from '../log/entry.ts'
import type { EventMemory } from './event-memory.ts'
import { queueLimits } from './limits.ts'
import { bytesOfText, Delivered } from './queue.ts'

/** An entry with what each kind of listener receives, made once per kind. `size`: roughly how many bytes all of it takes. */
export type Remembered = Entry & { shapes: Map<string, Delivered>; size: number; isOutdated?: boolean }

/** The newest entries of a log, in order and without a gap, as many as their limits allow. */
export class RecentEntries {
  private entries: Remembered[] = []
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

  /** Adds entries. Those that do not follow the last one replace all. */
  add(entries: Remembered[]) {
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
  after(id: number): Remembered[] | undefined {
    const first = this.entries[0]?.id
    if (first === undefined || id + 1 < first || id >= lastIn(this.entries).id) return undefined
    this.lastUse = this.memory.nextUse()
    return this.entries.slice(id + 1 - first)
  }

  [Symbol.iterator]() {
    return this.entries.values()
  }

  /** Keeps what a kind of listener receives of an entry as long as the entry itself. Returns it as an event. */
  addShape(entry: Remembered, kind: string, json: string): Delivered {
    const shape = new Delivered(entry.id, json)
    const size = bytesPerShape + sizeOf(kind) + shape.size
    entry.shapes.set(kind, shape)
    entry.size += size
    if (this.has(entry)) this.grow(size)
    return shape
  }

  private has(entry: Remembered): boolean {
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

/** What an entry takes, and a shape, besides their texts. */
const [bytesPerEntry, bytesPerShape] = [400, 200]

// The state has taken in the rows, and events without an audience need not be remembered: either may be large.
export function forDelivery(entry: Entry): Remembered {
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
