import type { CommandContext } from '../../http/endpoint.ts'
import { tooManyRequests } from '../../http/rate-limits.ts'
import { limits } from '../../lib/limits.ts'
import { networkOf } from '../../lib/network-of.ts'
import type { Site } from '../../lib/site.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'

/** Throws 429 if too many mails were asked for from one IP address lately, on this node. */
export function countMailRequest({ site, request }: Pick<CommandContext, 'site' | 'request'>) {
  const { allowed, wait } = bucketsOf(site).take(networkOf(request.ip))
  if (!allowed) throw tooManyRequests(wait)
}

// A node has one Site, so this is a node's own.
const byNode = new WeakMap<Site, TokenBuckets>()

function bucketsOf(site: Site): TokenBuckets {
  let buckets = byNode.get(site)
  if (!buckets) {
    buckets = new TokenBuckets(limits.mailRequestsPerDay, 86_400, () => performance.now())
    byNode.set(site, buckets)
  }
  return buckets
}
