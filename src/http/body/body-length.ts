import type { FastifyRequest } from 'fastify'
import { networkOf } from '../../lib/network/network-of.ts'
import type { Site } from '../../lib/site.ts'
import type { RealmLog } from '../../log/realm-log.ts'
import { hasValidCredentials } from '../callers/caller.ts'
import type { SecondLooks } from '../callers/second-look.ts'
import { httpLimits } from '../limits.ts'
import { isForm } from './body.ts'

/**
 * Returns how many bytes the body of a request may have. Only authenticated callers may send large ones, as many callers may do so at the
 * same time. Parsing a form delays others, so only other bodies, which are not parsed, may be very large.
 */
export async function largestBody(
  { site, secondLooks }: { site: Site; secondLooks: SecondLooks },
  log: RealmLog,
  request: FastifyRequest,
) {
  const isSmall = statedLength(request) <= httpLimits.anonymousBody
  const known = () => isSmall || hasValidCredentials(log.state, site, request)
  if (!known()) {
    await secondLooks.hasNews(log, networkOf(request.ip), log.readUpTo)
    if (!known()) return httpLimits.anonymousBody
  }
  return isForm(request) ? httpLimits.formBody : httpLimits.requestBody
}

/** Returns the length that the client states, in bytes; infinity if it states none. */
export function statedLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
}
