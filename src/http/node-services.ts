import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Adapters } from '../adapters/adapters.ts'
import type { Site } from '../lib/site.ts'
import type { Tracer } from '../lib/tracer.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { Realms } from '../log/realms.ts'
import type { Queues } from '../queues/queues.ts'
import type { RequestBodyBudget } from './body/body-budget.ts'
import type { LastUsed } from './callers/last-used.ts'
import type { Logins } from './callers/logins.ts'
import type { RateLimits } from './callers/rate-limits.ts'
import type { RefusedKeys } from './callers/refused-keys.ts'
import type { SecondLooks } from './callers/second-look.ts'
import type { Admission } from './overload/admission.ts'

/** The services of a node that requests may need. */
export type NodeServices = {
  realms: Realms
  queues: Queues
  site: Site
  adapters: Adapters
  rateLimits: RateLimits
  admission: Admission
  bodyBudget: RequestBodyBudget
  lastUsed: LastUsed
  logins: Logins
  refusedKeys: RefusedKeys
  secondLooks: SecondLooks
  /** Undefined if nothing is traced. */
  tracer: Tracer | undefined
}

/** A request under way, with the organization that it is for. */
export type Exchange = {
  services: NodeServices
  log: RealmLog
  request: FastifyRequest
  reply: FastifyReply
}
