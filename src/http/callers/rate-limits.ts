import type { FastifyReply } from 'fastify'
import { tooManyRequests } from '../../lib/api-error.ts'
import { systemMilliseconds } from '../../lib/clock.ts'
import { networkOf } from '../../lib/network/network-of.ts'
import type { Siblings } from '../../lib/siblings.ts'
import { type Allowance, TokenBuckets } from '../../lib/token-bucket.ts'
import { httpLimits } from '../limits.ts'
import type { Caller } from './authenticate.ts'
import { accountOf } from './caller-keys.ts'

/** Limits how often callers may send requests to this server: per account, or per address without a login. */
export class RateLimits {
  private readonly enabled: boolean
  private readonly byUser: TokenBuckets
  private readonly byAddress: TokenBuckets

  /** `siblings`: the workers that count together. */
  constructor(enabled: boolean, siblings?: Siblings, now: () => number = () => performance.now()) {
    const { requestsPerMinute, anonymousRequestsPerMinute } = httpLimits
    this.enabled = enabled
    this.byUser = new TokenBuckets(requestsPerMinute, 60, now).shareWith(siblings, 'requests of users')
    this.byAddress = new TokenBuckets(anonymousRequestsPerMinute, 60, now).shareWith(
      siblings,
      'requests of addresses',
    )
  }

  /** Counts a request and reports the allowance in headers; throws 429 when the caller has none left. */
  check(caller: Caller | null, ip: string, reply: FastifyReply) {
    if (!this.enabled || caller?.key?.is_exempt_from_limits) return
    const allowance = caller ? this.byUser.take(accountOf(caller)) : this.byAddress.take(networkOf(ip))
    announce(allowance, reply)
    if (!allowance.allowed) throw tooManyRequests(allowance.wait)
  }
}

function announce({ limit, remaining, reset }: Allowance, reply: FastifyReply) {
  reply.header('x-ratelimit-limit', limit)
  reply.header('x-ratelimit-remaining', remaining)
  reply.header('x-ratelimit-reset', Math.ceil(systemMilliseconds() / 1000 + reset))
}
