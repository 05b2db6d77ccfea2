import { notReady, tooManyRequests } from '../api-error.ts'
import { guard } from '../guard.ts'

/**
 * A caller that takes slots. Callers belong to groups, such as the users of an organization, and groups share the slots fairly, too.
 */
export type SemaphoreCaller = {
  group: string
  name: string
  /** How many slots the group may hold at the same time; by default, as many as there are. */
  groupMost?: number
  /** How many slots this caller must leave free for others; by default none. */
  leaves?: number
}

/** How many requests may wait for a slot, in total and of each caller. */
type WaitingLimits = { most: number; each: number }

/**
 * A fair semaphore. It limits how many slots are held in total and how many each caller holds. Free slots go to waiting
 * groups in rotation, and within a group to its callers in rotation, so that no caller waits for everything that
 * another has asked for. A caller never holds more slots than are free for others, so that a few callers cannot take all of them. The number
 * of requests that wait is limited in the same way.
 */
export class FairSemaphore {
  private readonly slots: number
  private readonly slotsPerCaller: number
  private readonly waitingLimits: WaitingLimits
  private underWay = 0
  /** Slots held, by group and by caller. */
  private readonly ofGroup = new Counts()
  private readonly ofCaller = new Counts()
  private waitingInAll = 0
  private readonly waitingOfCaller = new Counts()
  /** Waiting requests, by group and caller. Both maps are in the order of the rotation. */
  private readonly waiting = new Map<string, Map<string, Set<Waiting>>>()

  constructor(slots: number, slotsPerCaller: number, waitingLimits: WaitingLimits) {
    this.slots = slots
    this.slotsPerCaller = slotsPerCaller
    this.waitingLimits = waitingLimits
  }

  /** How many slots are held. */
  get held(): number {
    return this.underWay
  }

  /** How many requests wait for one. */
  get waitingCount(): number {
    return this.waitingInAll
  }

  /**
   * Returns whose limit keeps the caller from taking a slot now: its own, that of its group, or that of all; undefined if it may take one.
   */
  obstacle(caller: SemaphoreCaller): 'caller' | 'group' | 'all' | undefined {
    const { groupMost = this.slots, leaves = 0 } = caller
    const own = this.ofCaller.of(keyOf(caller))
    if (own >= this.slotsPerCaller) return 'caller'
    if (this.ofGroup.of(caller.group) >= groupMost) return 'group'
    return own < this.slots - this.underWay - leaves ? undefined : 'all'
  }

  /** Takes a slot without waiting, and returns the function that releases it. Call it only without an obstacle. */
  takeFree(caller: SemaphoreCaller): () => void {
    return this.begin(caller)
  }

  /**
   * Takes a slot, and resolves with the function that releases it. Rejects with NoFreeSlot: immediately if no more requests may wait, after
   * `seconds` without a slot, and when the signal aborts.
   */
  take(caller: SemaphoreCaller, seconds: number, signal?: AbortSignal): Promise<() => void> {
    // Waiting requests begin as soon as they can, so this one overtakes none.
    if (!signal?.aborted && this.mayBegin(caller)) return Promise.resolve(this.begin(caller))
    const own = this.waitingOfCaller.of(keyOf(caller))
    if (own >= this.waitingLimits.each) return Promise.reject(new NoFreeSlot(true))
    if (own >= this.waitingLimits.most - this.waitingInAll) return Promise.reject(new NoFreeSlot())
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.remove(waiting)
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
      const leave = guard(reject, () => {
        stop()
        reject(new NoFreeSlot())
      })
      const begin = () => {
        stop()
        resolve(this.begin(caller))
      }
      const waiting = { caller, begin }
      const timer = setTimeout(leave, seconds * 1000)
      signal?.addEventListener('abort', leave)
      this.add(waiting)
      if (signal?.aborted) leave()
    })
  }

  /** Runs the work while holding a slot; rejects like `take`. */
  async run<T>(
    caller: SemaphoreCaller,
    seconds: number,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const end = await this.take(caller, seconds, signal)
    return work().finally(end)
  }

  private begin(caller: SemaphoreCaller) {
    let hasEnded = false
    const key = keyOf(caller)
    this.count(caller, key, 1)
    this.goRound(caller)
    return () => {
      if (hasEnded) return
      hasEnded = true
      this.count(caller, key, -1)
      this.goRound(caller)
      this.call()
    }
  }

  private count({ group }: SemaphoreCaller, key: string, change: number) {
    this.underWay += change
    this.ofGroup.add(group, change)
    this.ofCaller.add(key, change)
  }

  private call() {
    for (let next = this.next(); next; next = this.next()) next.begin()
  }

  private next(): Waiting | undefined {
    for (const callers of this.waiting.values()) {
      for (const [first] of callers.values()) if (first && this.mayBegin(first.caller)) return first
    }
    return undefined
  }

  private mayBegin(caller: SemaphoreCaller): boolean {
    return this.obstacle(caller) === undefined
  }

  private add(waiting: Waiting) {
    const { group, name } = waiting.caller
    const callers = this.waiting.get(group) ?? new Map<string, Set<Waiting>>()
    this.waiting.set(group, callers)
    callers.set(name, (callers.get(name) ?? new Set()).add(waiting))
    this.countWaiting(waiting, 1)
  }

  private remove(waiting: Waiting) {
    const { group, name } = waiting.caller
    const callers = this.waiting.get(group)
    const own = callers?.get(name)
    if (own?.delete(waiting)) this.countWaiting(waiting, -1)
    if (own?.size === 0) callers?.delete(name)
    if (callers?.size === 0) this.waiting.delete(group)
  }

  private countWaiting({ caller }: Waiting, change: number) {
    this.waitingInAll += change
    this.waitingOfCaller.add(keyOf(caller), change)
  }

  /** Moves the caller and its group to the end of the rotation. */
  private goRound({ group, name }: SemaphoreCaller) {
    const callers = this.waiting.get(group)
    if (!callers) return
    moveToEnd(this.waiting, group)
    moveToEnd(callers, name)
  }
}

/** No slot became free in time, or too many wait already, or the caller has left. */
export class NoFreeSlot extends Error {
  override name = 'NoFreeSlot'
  override message = 'No slot became free in time'
  /** Whether too many requests of the caller itself wait. */
  readonly isOwnExcess: boolean

  constructor(isOwnExcess = false) {
    super()
    this.isOwnExcess = isOwnExcess
  }
}

/** Returns the error for the client if it got no slot: 429 for its own excess, otherwise 503 with this message. */
export function slotError(error: unknown, message: string): unknown {
  if (!(error instanceof NoFreeSlot)) return error
  return error.isOwnExcess ? tooManyRequests(1) : notReady(message)
}

type Waiting = { caller: SemaphoreCaller; begin(): void }

class Counts {
  private readonly counts = new Map<string, number>()

  of(key: string): number {
    return this.counts.get(key) ?? 0
  }

  add(key: string, change: number) {
    const count = this.of(key) + change
    if (count > 0) this.counts.set(key, count)
    else this.counts.delete(key)
  }
}

function keyOf({ group, name }: SemaphoreCaller) {
  return `${group}\n${name}`
}

function moveToEnd<V>(map: Map<string, V>, key: string) {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
