import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { guard, ignore } from '../../lib/guard.ts'
import { networkOf } from '../../lib/network/network-of.ts'
import type { Siblings } from '../../lib/siblings.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import type { RealmLog } from '../../log/realm-log.ts'
import type { Endpoint } from '../endpoint.ts'
import { httpLimits } from '../limits.ts'
import { auditedClient } from '../request-info.ts'
import { emailIn } from './authenticate.ts'

/**
 * Notes in the audit log that an account's API key was refused. A client with a revoked key asks again and again, so the number of entries
 * is limited: for an account and a network, and for an organization. When an organization's limit leaves entries out, a line says so
 * once an hour.
 */
export class RefusedKeys {
  private readonly logger: Pick<FastifyBaseLogger, 'warn'>
  private readonly byAccount: TokenBuckets
  private readonly byRealm: TokenBuckets
  private readonly lines: TokenBuckets

  /** `now` returns milliseconds that never go back. */
  constructor(
    logger: Pick<FastifyBaseLogger, 'warn'>,
    siblings?: Siblings,
    now: () => number = () => performance.now(),
  ) {
    const buckets = (limit: number, name: string) =>
      new TokenBuckets(limit, 3_600, now).shareWith(siblings, `refused keys: ${name}`)
    this.logger = logger
    this.byAccount = buckets(1, 'accounts')
    this.byRealm = buckets(httpLimits.refusedKeyEntries, 'organizations')
    this.lines = buckets(1, 'lines')
  }

  /** The response does not wait for the entry, so its time does not tell which accounts exist. */
  note(log: RealmLog, { method, path }: Endpoint, request: FastifyRequest) {
    const email = emailIn(request.headers.authorization)
    const user = email === undefined ? undefined : log.state.userByEmail(email.toLowerCase())
    if (!user) return
    if (!this.hasRoom(log.state.id, `${user.id} ${networkOf(request.ip)}`, request.id)) return
    const actor = {
      userId: null,
      means: 'none',
      meansId: null,
      operation: `${method} ${path}`,
      client: auditedClient(request.headers['user-agent']),
      ip: request.ip,
      osUser: null,
    } as const
    const write = guard(ignore, () =>
      log.commitIn(
        log.state.epoch,
        async (change) => change.note({ kind: 'key.refuse', object: 'user', objectId: user.id }),
        actor,
      ),
    )
    write()
  }

  private hasRoom(realmId: number, account: string, reqId: string): boolean {
    const caller = `${realmId} ${account}`
    if (!this.byAccount.take(caller).allowed) return false
    if (this.byRealm.take(realmId).allowed) return true
    // Its next refusal is noted if the organization has room again by then.
    this.byAccount.giveBack(caller)
    if (this.lines.take(realmId).allowed) {
      this.logger.warn({ reqId, realmId }, 'too many refused API keys: the audit log leaves entries out')
    }
    return false
  }
}
