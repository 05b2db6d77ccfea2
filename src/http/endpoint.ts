import type { z } from 'zod'
import type { Adapters } from '../adapters/adapters.ts'
import type { Reader } from '../db/database.ts'
import type { AccountRow } from '../db/schema.ts'
import type { ComponentError } from '../lib/component.ts'
import type { Chunk } from '../lib/gzip-parts.ts'
import type { Site } from '../lib/site.ts'
import type { BatchedWrite } from '../log/batched-write.ts'
import type { Change } from '../log/change.ts'
import type { Commit } from '../log/realm-log.ts'
import type { RealmState } from '../log/realm-state.ts'
import type { RealmQueues } from '../queues/realm-queues.ts'
import type { RequestKey } from './idempotency.ts'
import type { Params, Values } from './params.ts'

/** What is known of a request besides its parameters. */
export type RequestInfo = {
  /** The client's name as it gives it in its User-Agent. */
  client: string
  /** The API key that the caller has shown, or the session they are in; null otherwise. */
  keyId: number | null
  sessionId: number | null
  ip: string
  /** What was sent, as it came; empty where files are taken. */
  body: Buffer
  /** The part of the path that follows the host, without the query. */
  path: string
  header(name: string): string | undefined
  /**
   * A signal for when the client has gone, or has been sent its answer. A method: as a getter it would be a new kind of
   * object for each request.
   */
  gone(): AbortSignal
  /** Logs a failure that does not show in the answer, under the id of the request. */
  report(error: ComponentError): void
  /** Throws 401 if the key or session of this request has ended since it came, or its account is deactivated. */
  checkLogin(): void
}

/** Who may call: answers the caller as the handler gets it, or throws. The caller is null if nobody is logged in. */
export type Access<Me> = (state: RealmState, user: AccountRow | null) => Me

/** What reads. It cannot write: its sessions refuse to, and nothing here could. */
export type QueryContext<P extends Params = Params, Me = AccountRow> = {
  realm: RealmState
  me: Me
  params: Values<P>
  read: Reader
  queues: RealmQueues
  site: Site
  outside: Adapters
  request: RequestInfo
}

/** What may also change things, through `commit`; or, small and often, together with others through commitInGroup. */
export type CommandContext<P extends Params = Params, Me = AccountRow> = QueryContext<P, Me> & {
  commit: Commit
  commitInGroup<Item>(kind: BatchedWrite<Item>, item: Item): Promise<number>
  /** The key under which the request may come again; null if it has none. */
  requestKey: RequestKey | null
  conclude: Conclude
}

/**
 * Commits what an operation that `creates` does, and returns what `work` returns: the answer. If the request has a key, the
 * answer is kept under it in the same transaction, so that a repeat gets it and changes nothing. `isSecret`: the answer
 * holds a key or a link that the database must not give away.
 */
export type Conclude = <T extends object>(
  work: (change: Change) => Promise<T>,
  options?: { isSecret?: boolean },
) => Promise<T>

type Returns = Record<string, z.ZodType> | z.ZodType

/** The declaration of an operation, from which its route, checks, errors and documentation come. */
type Spec<P extends Params, Me, Context> = {
  /** One line for the API document. */
  summary: string
  /** The feature level that brought it, if it is not as old as the API. */
  since?: number
  /** True: the path stands at the host's root rather than below /api/v1, and is not in the API document. */
  root?: true
  /** True: the caller is whose key the parameter `api_key` in the query is, for servers that know nothing else. */
  keyInQuery?: true
  /** True: it does not count among the requests that are limited in number. */
  unlimited?: true
  /** True: a success is a redirect (302), with no content. */
  redirects?: true
  /** True: the same as a stream of server-sent events for a client that accepts `text/event-stream`. */
  streams?: true
  /** True, of a GET that waits for what is yet to happen: there is no HEAD, which would wait and have nothing to show. */
  noHead?: true
  /** True, of what comes often and nobody waits for: it may wait for a moment, for others of its kind. See gather.ts. */
  gathered?: true
  /**
   * True, of what makes something: to do it twice would make two. It takes the header Idempotency-Key and commits by
   * `conclude`, or in a group whose kind keeps the key.
   */
  creates?: true
  /** Of these: parameters that may differ when the request comes again. */
  incidental?: string[]
  /** Another key than the header's by which a request is known when it comes again. */
  keyOf?(context: Context): RequestKey | undefined
  access: Access<Me>
  /**
   * Who stands for a caller without credentials, where people need not log in to call; throws if they must. Without it,
   * all must.
   */
  spectator?(state: RealmState, site: Site): Me
  params: P
  /** Which parameters need which others: those must be sent, too, and not be empty. */
  requires?: Partial<Record<keyof P, (keyof P & string)[]>>
  /**
   * The fields of a successful answer. A field that may be absent is optional in its schema. Or, for an answer that
   * stands alone, without result and msg, its whole schema.
   */
  returns: Returns
  handle(context: Context): Promise<object>
}

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  since: number | undefined
  root?: true
  keyInQuery?: true
  unlimited?: true
  redirects?: true
  streams?: true
  noHead?: true
  gathered?: true
  creates?: true
  incidental?: string[]
  keyOf?(context: CommandContext<Params, unknown>): RequestKey | undefined
  access: Access<unknown>
  spectator?(state: RealmState, site: Site): unknown
  params: Params
  requires?: Record<string, string[]>
  returns: Returns
  handle(context: CommandContext<Params, unknown>): Promise<object>
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
  const declared = Object.keys(spec.params).filter((name) => spec.params[name]!.place === 'path')
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
  if (declared.join() !== inPath.join()) throw new Error(`${route}: declare the path's parameters, in order`)
  return { since: undefined, ...spec, method, path } as unknown as Endpoint
}

/** A successful answer whose JSON is made already: the text of an object, without result and msg. */
export class JsonAnswer {
  readonly fields: Chunk[]

  /** `fields`: what stands between the braces, e.g. `"events":[]`. */
  constructor(...fields: Chunk[]) {
    this.fields = fields
  }
}

/** An answer that goes on: pieces of text, each sent as it comes. */
export class StreamAnswer {
  readonly contentType: string
  readonly pieces: AsyncIterable<string>

  constructor(contentType: string, pieces: AsyncIterable<string>) {
    this.contentType = contentType
    this.pieces = pieces
  }
}
