import { memoizePer } from './memoize-per.ts'
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
  private readonly buckets = new Map<string | number, { tokens: number; at: number }>()

  /** `now` returns milliseconds that never go back. */
  constructor(limit: number, seconds: number, now: () => number) {
    this.limit = limit
    this.perSecond = limit / seconds
    this.now = now
  }

  take(caller: string | number): Allowance {
    const bucket = this.refilled(caller)
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    return {
      allowed,
      limit: this.limit,
      remaining: Math.floor(bucket.tokens),
      wait: bucket.tokens >= 1 ? 0 : (1 - bucket.tokens) / this.perSecond,
      reset: (this.limit - bucket.tokens) / this.perSecond,
    }
  }

  /** Undoes a `take` whose request did not take place. */
  giveBack(caller: string | number) {
    const bucket = this.refilled(caller)
    bucket.tokens = Math.min(this.limit, bucket.tokens + 1)
  }

  private refilled(caller: string | number) {
    const now = this.now()
    let bucket = this.buckets.get(caller)
    if (!bucket) {
      if (this.buckets.size >= maxCallers) this.dropFull(now)
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
    if (this.buckets.size >= maxCallers) this.buckets.clear()
  }
}

/** Returns separate buckets for each node: a node has one Site. */
export function bucketsPerNode(limit: number, seconds: number): (site: Site) => TokenBuckets {
  return memoizePer(() => new TokenBuckets(limit, seconds, () => performance.now()))
}

const maxCallers = 100_000
