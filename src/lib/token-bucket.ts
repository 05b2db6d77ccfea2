import { memoizePer } from './collections/memoize-per.ts'
import { guard, ignore } from './guard.ts'
import { libLimits } from './limits.ts'
import type { Siblings } from './siblings.ts'
import type { Site } from './site.ts'

/** A caller's allowance after a request: allowed or not, and the numbers for the response headers. */
export type Allowance = {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until the next request is allowed; 0 if one is now. */
  wait: number
  /** Seconds until the full budget is back. */
  reset: number
}

/** Limits requests per caller: a burst of `limit`, refilled over every `seconds`. */
export class TokenBuckets {
  private readonly limit: number
  private readonly perSecond: number
  private readonly now: () => number
  private readonly buckets = new Map<Caller, { tokens: number; at: number }>()
  /** The tokens that callers have taken here since the other workers were last notified. */
  private readonly taken = new Map<Caller, number>()
  private tellSoon: (() => void) | undefined

  /** `now` returns milliseconds that never go back. */
  constructor(limit: number, seconds: number, now: () => number) {
    this.limit = limit
    this.perSecond = limit / seconds
    this.now = now
  }

  /** Counts what callers take in all workers of a server, which tell each other a moment later. */
  shareWith(siblings: Siblings | undefined, name: string): this {
    if (!siblings) return this
    const topic = `taken: ${name}`
    siblings.hear<[Caller, number][]>(topic, (taken) => {
      for (const [caller, tokens] of taken) this.refilled(caller).tokens -= tokens
    })
    const tell = guard(ignore, () => {
      siblings.tell(topic, [...this.taken])
      this.taken.clear()
    })
    this.tellSoon = () => setTimeout(tell, tellMs).unref()
    return this
  }

  /** Counts a request of a caller, if it is allowed. */
  take(caller: Caller): Allowance {
    const bucket = this.refilled(caller)
    const allowed = bucket.tokens >= 1
    if (allowed) {
      bucket.tokens -= 1
      this.count(caller, 1)
    }
    return {
      allowed,
      limit: this.limit,
      remaining: Math.max(0, Math.floor(bucket.tokens)),
      wait: bucket.tokens >= 1 ? 0 : (1 - bucket.tokens) / this.perSecond,
      reset: (this.limit - bucket.tokens) / this.perSecond,
    }
  }

  /** Undoes a `take` whose request did not take place. */
  giveBack(caller: Caller) {
    const bucket = this.refilled(caller)
    bucket.tokens = Math.min(this.limit, bucket.tokens + 1)
    this.count(caller, -1)
  }

  private count(caller: Caller, tokens: number) {
    if (!this.tellSoon) return
    if (this.taken.size === 0) this.tellSoon()
    this.taken.set(caller, (this.taken.get(caller) ?? 0) + tokens)
  }

  private refilled(caller: Caller) {
    const now = this.now()
    let bucket = this.buckets.get(caller)
    if (!bucket) {
      if (this.buckets.size >= libLimits.callersCounted) this.dropFull(now)
      bucket = { tokens: this.limit, at: now }
      this.buckets.set(caller, bucket)
    }
    bucket.tokens = Math.min(this.limit, bucket.tokens + ((now - bucket.at) / 1000) * this.perSecond)
    bucket.at = now
    return bucket
  }

  // A full bucket means the same as an absent one.
  private dropFull(now: number) {
    for (const [caller, { tokens, at }] of this.buckets) {
      if (tokens + ((now - at) / 1000) * this.perSecond >= this.limit) this.buckets.delete(caller)
    }
    if (this.buckets.size >= libLimits.callersCounted) this.buckets.clear()
  }
}

/** Returns a function for the buckets of a node, by its Site. The workers of a server share theirs under the name. */
export function bucketsPerNode(name: string, limit: number, seconds: number): (site: Site) => TokenBuckets {
  const ofSite = memoizePer((site: Site) =>
    new TokenBuckets(limit, seconds, () => performance.now()).shareWith(site.siblings, name),
  )
  allPerNode.push(ofSite)
  return ofSite
}

const allPerNode: ((site: Site) => TokenBuckets)[] = []

/** Makes all buckets of a node, so that it receives from the beginning what other workers count. */
export function makeBuckets(site: Site) {
  for (const ofSite of allPerNode) ofSite(site)
}

type Caller = string | number

/** Milliseconds in which several requests of a caller are told together. */
const tellMs = 100
