import { roles } from '../db/roles.ts'
import type { AccountRow } from '../db/schema.ts'
import type { CommandContext, Endpoint, RequestInfo } from '../http/endpoint.ts'
import { missing, type Params } from '../http/params.ts'
import { ignore } from '../lib/guard.ts'
import type { Site } from '../lib/site.ts'
import type { RealmLog } from '../log/realm-log.ts'
import type { RealmState } from '../log/realm-state.ts'
import type { Realms } from '../log/realms.ts'
import type { CommandConfig } from './command.ts'
import { adaptersOf } from './context.ts'

/** The context of a command in an organization. */
export type Workplace = { config: CommandConfig; log: RealmLog; site: Site; realms: Realms }

/**
 * Runs an operation of the API with the permissions of an owner, which the operator of the server has. Checks, errors
 * and events are the same as for a request. The audit log names the command. `values`: the parameters, by their names
 * in the API.
 */
export async function perform(
  { config, log, site, realms }: Workplace,
  endpoint: Endpoint,
  sent: Record<string, unknown>,
): Promise<object> {
  const me = endpoint.access(log.state, anOwner(log.state))
  const context: CommandContext<Params, unknown> = {
    realm: log.state,
    me,
    params: valuesOf(endpoint, sent),
    request: noRequest,
    site,
    adapters: adaptersOf(config),
    read: log.database.read,
    catchUp: () => log.tryToCatchUp(),
    organizations: (names) => realms.places.named(names),
    get queues(): never {
      throw new Error('A command has no event queues.')
    },
    commit: log.commit,
    conclude: log.commit,
    commitInGroup: (kind, item) => log.commitInGroup(kind, item),
    requestKey: null,
  }
  return endpoint.handle(context)
}

function valuesOf({ params }: Endpoint, sent: Record<string, unknown>) {
  const texts = new Map(Object.entries(sent).map(([name, value]) => [name, textOf(value)]))
  return Object.fromEntries(
    Object.entries(params).map(([name, param]) => {
      const text = texts.get(name)
      if (param.source === 'path' && text === undefined) throw missing(name)
      return [name, param.read(name, (asked) => (asked === name ? text : undefined))]
    }),
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const noRequest: RequestInfo = {
  client: 'rookery',
  keyId: null,
  sessionId: null,
  ip: '',
  body: Buffer.alloc(0),
  path: '',
  header: () => undefined,
  whenGone: () => ignore,
  gone: () => new AbortController().signal,
  releasePlace: ignore,
  report: ignore,
  login: null,
  refuseLogin: ignore,
  checkLogin: ignore,
}

/** The owner whose permissions a command has. */
export function anOwner(state: RealmState): AccountRow {
  const owner = ownerIn(state)
  if (owner) return owner
  throw new Error(`${state.row.name} has no owner; rookery user role EMAIL owner makes one.`)
}

/** An active owner. */
export function ownerIn(state: RealmState): AccountRow | undefined {
  return [...state.users.values()].find(
    (user) => user.role === roles.owner && user.is_active && user.bot_type === null,
  )
}
