import { notReady } from '../../lib/api-error.ts'
import { networkOf } from '../../lib/network/network-of.ts'
import { httpLimits } from '../limits.ts'

/**
 * Limits the memory of a node for request bodies: in total, and for each network. A body reserves its full size when it begins, since a
 * half-sent one may be held for long.
 */
export class RequestBodyBudget {
  private taken = 0
  private readonly takenFrom = new Map<string, number>()

  /** Reserves bytes, and returns the function that releases them. Throws 503 if that exceeds a limit now. */
  take(bytes: number, ip: string): () => void {
    // Nearly all bodies are small, and these cannot add up to much.
    if (bytes <= httpLimits.smallBody) return nothing
    const network = networkOf(ip)
    const before = this.takenFrom.get(network) ?? 0
    if (this.taken + bytes > httpLimits.bodyBytes || before + bytes > httpLimits.bodyBytesPerNetwork) {
      throw notReady('The server is receiving too much data right now. Try again in a moment.')
    }
    this.add(network, bytes)
    return () => this.add(network, -bytes)
  }

  private add(network: string, bytes: number) {
    const taken = (this.takenFrom.get(network) ?? 0) + bytes
    if (taken > 0) this.takenFrom.set(network, taken)
    else this.takenFrom.delete(network)
    this.taken += bytes
  }
}

const nothing = () => {}
