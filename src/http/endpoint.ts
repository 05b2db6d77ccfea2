import type { z } from 'zod'
import type { Adapters } from '../adapters/adapters.ts'
import type { Reader } from '../db/database.ts'
import type { AccountRow } from '../db/schema.ts'
import type { ComponentError } from '../lib/component.ts'
import type { Json } from '../lib/json.ts'
import type { Site } from '../lib/site.ts'
import type { BatchedWrite } from '../log/batched-write.ts'
import type { Change } from '../log/change.ts'
import type { Commit } from '../log/realm-log.ts'
import type { NamedRealm } from '../log/realm-places.ts'
import type { RealmState } from '../log/realm-state.ts'
import type { RealmQueues } from '../queues/realm-queues.ts'
import type { MadeLogin } from './callers/logins.ts'
import type { RequestKey } from './idempotency.ts'
import type { Params, Values } from './params.ts'

/** A request's properties besides its parameters. */
export type RequestInfo = {
  /** The client's name from its User-Agent. */
  client: string
  /** The caller's API key or session; null otherwise. */
  keyId: number | null
  sessionId: number | null
  ip: string
  /** The bytes of the body; empty if the operation takes files or a stream. */
  body: Buffer
  /** The path of the URL, without the query. */
  path: string
  header(name: string): string | undefined
  /**
   * Returns a signal that aborts when the client has disconnected or has received its response. It is a method: a
   * getter would create a new kind of object for each request.
   */
  gone(): AbortSignal
  /**
   * Calls `leave` when that signal would abort, or immediately if it would have aborted already. Returns the function that cancels this. It
   * costs less than a signal, for requests that many clients send all the time.
   */
  whenGone(leave: () => void): () => void
  /** Releases the place of the request among those under way: from now on, it only waits for events. */
  releasePlace(): void
  /** Logs a failure that the response does not mention, with the id of the request. */
  report(error: ComponentError): void
  /** Set by an operation that makes a login: it is logged when the operation has succeeded. */
  login: MadeLogin | null
  /** Logs that a login was refused. `userId`: the account that it was for, if there is one. */
  refuseLogin(refused: { method: string; userId?: number | undefined; error: unknown }): void
  /** Throws 401 if the key or session of this request has ended since it came, or its account is deactivated. */
  checkLogin(): void
}

/** Checks who may call: returns the caller as the handler receives it, or throws. `user` is null without a login. */
export type Access<Me> = (state: RealmState, user: AccountRow | null) => Me

/** The context of an operation that reads. It has no means to write, and its database sessions are read-only. */
export type QueryContext<P extends Params = Params, Me = AccountRow> = {
  realm: RealmState
  me: Me
  params: Values<P>
  read: Reader
  /**
   * Reads the entries that other nodes have written until now, with one query for many callers. Returns false if writes
   * of this node delay that for more than a moment; then read from the database.
   */
  catchUp(): Promise<boolean>
  /** Returns the organizations of this server with these names. */
  organizations(names: string[]): Promise<NamedRealm[]>
  queues: RealmQueues
  site: Site
  adapters: Adapters
  request: RequestInfo
}

/**
 * The context of an operation that may also write, through `commit`; or, for small and frequent writes, through
 * commitInGroup.
 */
export type CommandContext<P extends Params = Params, Me = AccountRow> = QueryContext<P, Me> & {
  commit: Commit
  commitInGroup<Item extends Json>(kind: BatchedWrite<Item>, item: Item): Promise<number>
  /** The idempotency key of the request; null if it has none. */
  requestKey: RequestKey | null
  conclude: Conclude
}

/** The part of an operation's context that a function needs: the organization, the caller, the site, and the fields that it names. */
export type CallerContext<Needs extends keyof CommandContext = never> = Pick<
  CommandContext,
  'realm' | 'me' | 'site' | Needs
>

/**
 * Commits the work of an operation that `creates`, and returns the result of `work`: the response. If the request has a
 * key, the response is stored under it in the same transaction, so that a repeat returns it and changes nothing.
 * `isSecret`: the response holds a key or a link that the database must not reveal.
 */
export type Conclude = <T extends object>(
  work: (change: Change) => Promise<T>,
  options?: { isSecret?: boolean },
) => Promise<T>

/**
 * The rank of a request when the node is overloaded. `essential`: small work that users wait for and that everything else rests on, such as
 * sends. `large`: essential work that takes a node long, such as registrations. `heavy`: work that takes the database long, such as
 * searches.
 */
export type Rank = 'essential' | 'large' | 'heavy'

/** The rank, or a function that returns it for the parameters as they were sent. */
type RankOf = Rank | ((sent: Map<string, string>) => Rank | undefined)

type Returns = Record<string, z.ZodType> | z.ZodType

/** The declaration of an operation, from which its route, checks, errors and documentation come. */
type Spec<P extends Params, Me, Context> = {
  /** One line for the API document. */
  summary: string
  /** The feature level that introduced it, if it is not as old as the API. */
  since?: number
  /** True: the path stands at the host's root rather than below /api/v1, and is not in the API document. */
  root?: true
  /** True: the parameter `api_key` in the query authenticates the caller, for servers that support nothing else. */
  keyInQuery?: true
  /** True: it does not count against the rate limit. */
  unlimited?: true
  /** True: the path may end with a slash. */
  slashed?: true
  /** Headers of every response on its path. */
  headers?: Record<string, string>
  /** True: a success is a redirect (302), with no content. */
  redirects?: true
  /** True: clients that accept `text/event-stream` receive the same as server-sent events. */
  streams?: true
  /** True for a GET that waits for events: there is no HEAD, which would wait and have nothing to return. */
  noHead?: true
  /** Its rank when the node is overloaded; see admission.ts. Most operations have none. */
  rank?: RankOf
  /**
   * True for an operation that may read from a replica: everything that it reads is written together with entries of the log. Uploads, jobs
   * and the audit log, for example, are not.
   */
  fromReplica?: true
  /**
   * True for frequent requests whose latency does not matter: they may wait a moment for others of their kind. See
   * batch.ts.
   */
  batched?: true
  /**
   * True for requests that thousands of clients may send at the same moment, as when they return after an outage. They are carried out in
   * steps, between which other requests go on. See stepwise.ts.
   */
  stepwise?: true
  /**
   * True for an operation that creates something: repeating it would create a second one. It takes the header
   * Idempotency-Key and commits by `conclude`, or in a group whose kind stores the key.
   */
  creates?: true
  /** With `creates`: parameters that do not tell requests apart, so they may differ when the request is repeated. */
  incidental?: string[]
  /** Returns the idempotency key of a request that has none in its header. */
  keyOf?(context: Context): RequestKey | undefined
  access: Access<Me>
  /**
   * Returns the viewer for a caller without credentials, where login is optional; throws if it is required. Without
   * this, login is always required.
   */
  spectator?(state: RealmState, site: Site): Me
  params: P
  /** The parameters that each parameter requires: those must be sent too, and not be empty. */
  requires?: Partial<Record<keyof P, (keyof P & string)[]>>
  /**
   * The fields of a successful response. A field that may be absent is optional in its schema. For a response without
   * result and msg, this is its whole schema.
   */
  returns: Returns
  handle(context: Context): Promise<object>
}

/** A declared operation, whatever the types of its parameters and its caller. */
export type Endpoint = Omit<Spec<Params, unknown, CommandContext<Params, unknown>>, 'since' | 'requires'> & {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  since: number | undefined
  requires?: Record<string, string[]>
}

/** An operation that only reads (or changes nothing but the caller's own event queues). */
export function query<P extends Params, Me>(route: string, spec: Spec<P, Me, QueryContext<P, Me>>): Endpoint {
  return endpoint(route, spec)
}

/** An operation that changes something. */
export function command<P extends Params, Me>(
  route: string,
  spec: Spec<P, Me, CommandContext<P, Me>>,
): Endpoint {
  return endpoint(route, spec)
}

function endpoint<P extends Params, Me, Context>(route: string, spec: Spec<P, Me, Context>): Endpoint {
  const [method, path] = route.split(' ') as [Endpoint['method'], string]
  const declared = Object.entries(spec.params).flatMap(([name, { source }]) =>
    source === 'path' ? name : [],
  )
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (declared.join() !== inPath.join()) throw new Error(`${route}: declare the path's parameters, in order`)
  return { since: undefined, ...spec, method, path } as unknown as Endpoint
}
