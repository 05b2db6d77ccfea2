import type { ClientEvent } from './entry.ts'

/** When somebody was last there, in UNIX seconds: at work, and with a client that was connected at all. */
export type Seen = { userId: number; active: number | null; connected: number }

/** The entry that tells of presence: of one person for clients to hear, or of many only for the nodes. */
export type PresenceEvent = {
  type: 'presence'
  /** When it was told, if that is not when they were last seen. */
  at?: number
  seen: [userId: number, active: number | null, connected: number][]
}

/**
 * What one log entry has told, or a part of it, less what later ones have told of the same people. People only ever leave
 * it.
 */
export type Batch = {
  id: number
  seen: Map<number, Seen>
  /** Nobody in it was last seen before. */
  oldest: number
}

const maxBatches = 1024

/** So many that one change in it costs little. */
const batchPeople = 512

/**
 * Who was there when, in the order in which the log told it. Somebody who knows everything up to a log number gets what
 * is newer by looking only at what is newer.
 */
export class PresenceBook {
  /** Heard by this node, and not in the log yet. */
  readonly pending = new Map<number, Seen>()
  private readonly batchOf = new Map<number, Batch>()
  private batches: Batch[] = []

  /** The newest that is known of a user on this node. */
  of(userId: number): Seen | undefined {
    return this.pending.get(userId) ?? this.batchOf.get(userId)?.seen.get(userId)
  }

  /**
   * Notes what this node has heard, for the log to be told soon. Until then what was told before stays in its batch, so
   * that batches change only as often as the log tells something new.
   */
  hear(one: Seen) {
    this.pending.set(one.userId, one)
  }

  /** Those heard of whom the log has never told. */
  newcomers(): Seen[] {
    return [...this.pending.values()].filter((one) => !this.batchOf.has(one.userId))
  }

  /** What log entries after `id` have told, the oldest first. */
  since(id: number): Batch[] {
    let first = this.batches.length
    while (first > 0 && this.batches[first - 1]!.id > id) first -= 1
    return this.batches.slice(first)
  }

  take(id: number, seen: Seen[]) {
    for (let from = 0; from < seen.length; from += batchPeople) {
      this.add(id, seen.slice(from, from + batchPeople))
    }
    if (this.batches.length > maxBatches) this.tidy()
  }

  private add(id: number, seen: Seen[]) {
    const batch: Batch = {
      id,
      seen: new Map(),
      oldest: seen.reduce((least, one) => Math.min(least, one.connected), Number.POSITIVE_INFINITY),
    }
    for (const one of seen) {
      this.batchOf.get(one.userId)?.seen.delete(one.userId)
      batch.seen.set(one.userId, one)
      this.batchOf.set(one.userId, batch)
      const waiting = this.pending.get(one.userId)
      if (waiting && waiting.connected <= one.connected) this.pending.delete(one.userId)
    }
    this.batches.push(batch)
  }

  // Who comes back after very long gets a little more than is new.
  private tidy() {
    const some = this.batches.filter(({ seen }) => seen.size > 0)
    const old = some.splice(0, Math.max(0, some.length - maxBatches / 2))
    if (old.length === 0) {
      this.batches = some
      return
    }
    const merged: Batch = {
      id: old.at(-1)!.id,
      seen: new Map(old.flatMap(({ seen }) => [...seen])),
      oldest: Math.min(...old.map((batch) => batch.oldest)),
    }
    for (const userId of merged.seen.keys()) this.batchOf.set(userId, merged)
    this.batches = [merged, ...some]
  }
}

/** What an event of the log tells of presence; undefined if it is another kind of event. */
export function seenIn(event: ClientEvent | null): Seen[] | undefined {
  if (event?.type !== 'presence') return undefined
  return (event as PresenceEvent).seen.map(([userId, active, connected]) => ({ userId, active, connected }))
}
