import { lastIn } from '../lib/must.ts'
import type { ClientEvent } from './entry.ts'
import { logLimits } from './limits.ts'

/** When a user was last present, in UNIX seconds: active, and connected with any client. */
export type Seen = { userId: number; active: number | null; connected: number }

/** The entry that announces presence: of one user for clients, or of many only for the nodes. */
export type PresenceEvent = {
  type: 'presence'
  /** When it was announced, if that is not when they were last seen. */
  at?: number
  seen: [userId: number, active: number | null, connected: number][]
}

/**
 * The presence that one log entry announced, or a part of it, except for users that later entries announced. Users only
 * ever leave it.
 */
export type Batch = {
  id: number
  seen: Map<number, Seen>
  /** The earliest time at which a user in it was last seen. */
  oldest: number
}

const { presenceBatches, presenceBatchUsers } = logLimits

/**
 * When users were last present, in the order of the log. A client that knows everything up to a log number finds newer
 * presence without reading the rest.
 */
export class PresenceBook {
  /** Presence that this node has received and that is not in the log yet, by user. */
  readonly pending = new Map<number, Seen>()
  private readonly batchOf = new Map<number, Batch>()
  private batches: Batch[] = []

  /** Returns the newest presence of a user that this node knows. */
  of(userId: number): Seen | undefined {
    return this.pending.get(userId) ?? this.logged(userId)
  }

  /** Returns the newest presence of a user that the log has announced. */
  logged(userId: number): Seen | undefined {
    return this.batchOf.get(userId)?.seen.get(userId)
  }

  /**
   * Records what this node has received, to be logged soon. Until then earlier presence stays in its batch, so that
   * batches change only as often as the log announces something new.
   */
  addPending(one: Seen) {
    this.pending.set(one.userId, one)
  }

  /** Returns the pending presence of users that the log has never announced. */
  newcomers(): Seen[] {
    return [...this.pending.values()].filter((one) => !this.batchOf.has(one.userId))
  }

  /** The number of the newest log entry that announced presence. */
  get newestId(): number {
    return this.batches.at(-1)?.id ?? -1
  }

  /** Returns what log entries after `id` have announced, the oldest first. */
  since(id: number): Batch[] {
    let first = this.batches.length
    while (first > 0 && this.batches[first - 1]!.id > id) first -= 1
    return this.batches.slice(first)
  }

  /** Takes in the presence that the log entry with this number has announced. */
  fold(id: number, seen: Seen[]) {
    for (let from = 0; from < seen.length; from += presenceBatchUsers) {
      this.add(id, seen.slice(from, from + presenceBatchUsers))
    }
    if (this.batches.length > presenceBatches) this.tidy()
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

  // Joins the oldest batches. So a client that returns after a very long time receives a little more than the new presence.
  private tidy() {
    const some = this.batches.filter(({ seen }) => seen.size > 0)
    const old = some.splice(0, Math.max(0, some.length - presenceBatches / 2))
    if (old.length === 0) {
      this.batches = some
      return
    }
    const merged: Batch = {
      id: lastIn(old).id,
      seen: new Map(old.flatMap(({ seen }) => [...seen])),
      oldest: Math.min(...old.map((batch) => batch.oldest)),
    }
    for (const userId of merged.seen.keys()) this.batchOf.set(userId, merged)
    this.batches = [merged, ...some]
  }
}

/** Returns the presence in an event of the log; undefined if it is another kind of event. */
export function seenIn(event: ClientEvent | null): Seen[] | undefined {
  if (event?.type !== 'presence') return undefined
  return (event as PresenceEvent).seen.map(([userId, active, connected]) => ({ userId, active, connected }))
}
