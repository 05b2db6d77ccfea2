import type { CommandContext } from '../../../http/endpoint.ts'
import { tooManyRequests } from '../../../lib/api-error.ts'
import { networkOf } from '../../../lib/network/network-of.ts'
import { bucketsPerNode } from '../../../lib/token-bucket.ts'
import { mailLimits } from './limits.ts'

/** Throws 429 if one IP address has recently requested too many mails on this node. */
export function countMailRequest({ site, request }: Pick<CommandContext, 'site' | 'request'>) {
  const { allowed, wait } = buckets(site).take(networkOf(request.ip))
  if (!allowed) throw tooManyRequests(wait)
}

const buckets = bucketsPerNode('mail requests', mailLimits.mailRequestsPerDay, 86_400)
