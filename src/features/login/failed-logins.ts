import { limits } from '../../lib/limits.ts'
import type { Site } from '../../lib/site.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import type { RealmState } from '../../log/realm-state.ts'

/** How often somebody has failed to log in under a name lately, on this node; a success wipes the slate. */
export function failedLogins(site: Site, realm: RealmState, username: string) {
  const buckets = bucketsOf(site)
  const name = `${realm.id}:${username.toLowerCase()}`
  return { count: () => buckets.take(name), forgive: () => buckets.forgive(name) }
}

// A node has one Site, so this is a node's own.
const byNode = new WeakMap<Site, TokenBuckets>()

function bucketsOf(site: Site): TokenBuckets {
  let buckets = byNode.get(site)
  if (!buckets) {
    buckets = new TokenBuckets(limits.failedLogins, limits.failedLoginSeconds, () => performance.now())
    byNode.set(site, buckets)
  }
  return buckets
}
