import type { FastifyRequest } from 'fastify'
import { networkOf } from '../../lib/network/network-of.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmLog } from '../../log/realm-log.ts'
import { isKnown } from '../callers/caller.ts'
import type { SecondLooks } from '../callers/second-look.ts'
import { httpLimits } from '../limits.ts'
import { isForm } from './body.ts'

/**
 * In bytes. Many callers may send large bodies at the same time, so only authenticated callers may; and parsing a form
 * delays others, so only bodies that are taken as they are (by a webhook) may be very large.
 */
export async function largestBody(
  { site, secondLooks }: { site: Site; secondLooks: SecondLooks },
  log: RealmLog,
  request: FastifyRequest,
) {
  const isSmall = statedLength(request) <= httpLimits.anonymousBody
  const known = () => isSmall || isKnown(log.state, site, request)
  if (!known()) {
    await secondLooks.hasNews(log, networkOf(request.ip), log.readUpTo)
    if (!known()) return httpLimits.anonymousBody
  }
  return isForm(request) ? httpLimits.formBody : httpLimits.requestBody
}

/** In bytes; without limit if the client does not say. */
export function statedLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
}
