import { guard } from './guard.ts'
/**
 * The caller that takes a slot. Callers belong to groups (such as the users of an organization), and groups share slots
 * fairly too.
 */
export type SemaphoreCaller = {
  group: string
  name: string
  /** How many slots the group may hold at the same time; by default, as many as there are. */
  groupMost?: number
}

/**
 * A fair semaphore. It limits how many slots are held in total and how many each caller holds. Free slots go to waiting
 * groups in rotation, and within a group to its callers in rotation, so that no caller waits for everything that
 * another has asked for. A caller never holds more slots than are free for others, so that few callers cannot take all
 * of them.
 */
export class FairSemaphore {
  private readonly atOnce: number
  private readonly each: number
  private underWay = 0
  /** Slots held, by group and by caller. */
  private readonly ofGroup = new Counts()
  private readonly ofCaller = new Counts()
  /** Waiting requests, by group and caller. Both maps are in the order of the rotation. */
  private readonly waiting = new Map<string, Map<string, Set<Waiting>>>()

  constructor(atOnce: number, each: number) {
    this.atOnce = atOnce
    this.each = each
  }

  /** Resolves with the function that releases the slot; rejects after `seconds`, or when the signal aborts. */
  take(caller: SemaphoreCaller, seconds: number, signal?: AbortSignal): Promise<() => void> {
    // No waiting request could begin now, so this one overtakes none.
    if (!signal?.aborted && this.mayBegin(caller)) return Promise.resolve(this.begin(caller))
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.remove(waiting)
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
      }
      const leave = guard(reject, () => {
        stop()
        reject(new TurnMissed())
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
    this.count(caller, 1)
    this.goRound(caller)
    return () => {
      if (hasEnded) return
      hasEnded = true
      this.count(caller, -1)
      this.goRound(caller)
      this.call()
    }
  }

  private count(caller: SemaphoreCaller, change: number) {
    this.underWay += change
    this.ofGroup.add(caller.group, change)
    this.ofCaller.add(keyOf(caller), change)
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
    const free = this.atOnce - this.underWay
    const own = this.ofCaller.of(keyOf(caller))
    const { groupMost = this.atOnce } = caller
    return own < Math.min(this.each, free) && this.ofGroup.of(caller.group) < groupMost
  }

  private add(waiting: Waiting) {
    const { group, name } = waiting.caller
    const callers = this.waiting.get(group) ?? new Map<string, Set<Waiting>>()
    this.waiting.set(group, callers)
    callers.set(name, (callers.get(name) ?? new Set()).add(waiting))
  }

  private remove(waiting: Waiting) {
    const { group, name } = waiting.caller
    const callers = this.waiting.get(group)
    const own = callers?.get(name)
    own?.delete(waiting)
    if (own?.size === 0) callers?.delete(name)
    if (callers?.size === 0) this.waiting.delete(group)
  }

  /** Moves the caller and its group to the end of the rotation. */
  private goRound({ group, name }: SemaphoreCaller) {
    const callers = this.waiting.get(group)
    if (!callers) return
    toTheEnd(this.waiting, group)
    toTheEnd(callers, name)
  }
}

/** No slot became free in time, or the caller has left. */
export class TurnMissed extends Error {
  override name = 'TurnMissed'
  override message = 'The turn did not come in time'
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

function toTheEnd<V>(map: Map<string, V>, key: string) {
  const value = map.get(key)
  if (value === undefined) return
  map.delete(key)
  map.set(key, value)
}
