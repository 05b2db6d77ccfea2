import type { Adapters } from '../../../adapters/adapters.ts'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { Selection } from '../../../db/selection.ts'
import type { Chunk } from '../../../lib/gzip/gzip-chunks.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Capabilities } from '../../../queues/queue.ts'
import type { IncludeSubscribers } from '../../channels/kernel/subscriptions/included-subscribers.ts'

/** The caller, and the forms in which the client wants the fields. */
export type Registration = {
  /** Stands for the request: `prepare` and `fields` get the same. */
  request: object
  realm: RealmState
  me: AccountRow
  site: Site
  adapters: Adapters
  clientGravatar: boolean
  includeSubscribers: IncludeSubscribers
  slimPresence: boolean
  /** The number of days of presence history that the client wants. */
  presenceHistoryDays: number | undefined
  capabilities: Capabilities
}

/** Fields of the response by name: values, or their JSON if it exists already. */
export type RegisterFields = Record<string, unknown | JsonChunks>

/** Serialized JSON. */
export class JsonChunks {
  readonly chunks: Chunk[]

  constructor(chunks: Chunk[]) {
    this.chunks = chunks
  }
}

/** A group of fields that clients request together. */
export type Section<Own = unknown> = {
  /** The names in fetch_event_types that must all be requested. */
  asked: string[]
  /** Left out for clients that request this name. */
  unlessAsked?: string
  /** Selects the caller's own data that only the database has; undefined if nothing is needed from there. */
  select?(realm: RealmState, me: AccountRow): Selection<Own> | undefined
  /**
   * Prepares expensive data that many clients share, in short slices of the event loop's time, so that `fields` finds
   * it ready, or `select` needs less. The data may change in between, so both must also work without it.
   */
  prepare?(registration: Registration, read: Reader): Promise<void>
  /** Returns the fields, synchronously. `own` is what was selected, if anything was. */
  fields(registration: Registration, own: Own | undefined): RegisterFields
}

/** Returns a section of what is selected. `fields` gets undefined if `select` returns that. */
export function ownSection<Own extends Selection<unknown> | undefined>(
  asked: string[],
  select: (realm: RealmState, me: AccountRow) => Own,
  fields: (own: Selected<Own>, registration: Registration) => RegisterFields,
): Section {
  return { asked, select, fields: (registration, own) => fields(own as Selected<Own>, registration) }
}

type Selected<Own> = Own extends Selection<infer T> ? T : undefined
