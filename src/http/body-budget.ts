import { notReady } from '../lib/api-error.ts'
import { limits } from '../lib/limits.ts'
import { networkOf } from '../lib/network-of.ts'

/**
 * What the bodies of requests under way may take of a node's memory: so much in all, and so much for one place on the
 * network. A body takes what it is to have as soon as it begins, as one that stays half-sent is held for long.
 */
export class RequestBodyBudget {
  private taken = 0
  private readonly takenFrom = new Map<string, number>()

  /** Takes so many bytes, and answers what gives them back. Throws 503 if that is too much now. */
  take(bytes: number, ip: string): () => void {
    // The small ones, which nearly all are, cannot become much.
    if (bytes <= limits.smallBody) return nothing
    const place = networkOf(ip)
    const before = this.takenFrom.get(place) ?? 0
    if (this.taken + bytes > limits.bodiesAtOnce || before + bytes > limits.bodiesAtOncePerPlace) {
      throw notReady('Too much is being sent at once. Try again in a moment.')
    }
    this.add(place, bytes)
    return () => this.add(place, -bytes)
  }

  private add(place: string, bytes: number) {
    const taken = (this.takenFrom.get(place) ?? 0) + bytes
    if (taken > 0) this.takenFrom.set(place, taken)
    else this.takenFrom.delete(place)
    this.taken += bytes
  }
}

const nothing = () => {}
