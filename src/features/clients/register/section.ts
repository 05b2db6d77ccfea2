import type { Adapters } from '../../../adapters/adapters.ts'
import type { Reader } from '../../../db/database.ts'
import type { AccountRow } from '../../../db/schema.ts'
import type { Chunk } from '../../../lib/gzip-parts.ts'
import type { Site } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import type { Capabilities } from '../../../queues/queue.ts'

/** Who registers, and what the client wants to know how. */
export type Registration = {
  realm: RealmState
  me: AccountRow
  site: Site
  outside: Adapters
  clientGravatar: boolean
  includeSubscribers: boolean
  slimPresence: boolean
  /** How far back presence is wanted. */
  presenceHistoryDays: number | undefined
  capabilities: Capabilities
}

/** Fields of the answer by name: values, or their JSON where that is at hand. */
export type RegisterFields = Record<string, unknown | Json>

/** JSON that is made already. */
export class Json {
  readonly pieces: Chunk[]

  constructor(pieces: Chunk[]) {
    this.pieces = pieces
  }
}

/** A group of fields that clients ask for together. */
export type Section<Own = unknown> = {
  /** The names in fetch_event_types that must all be asked for. */
  asked: string[]
  /** Not for clients that ask by name for this. */
  unlessAsked?: string
  /** What is the caller's own and only the database knows. */
  read?(at: Reader, realm: RealmState, me: AccountRow): Promise<Own>
  /** Whether it takes the database at all; by default it does if there is something to read. */
  needsDatabase?(realm: RealmState, me: AccountRow): boolean
  /**
   * Makes ready what takes long and is the same for many, in slices of the event loop's time, so that making the fields
   * finds it. It may have changed until then, so fields are made without it as well.
   */
  prepare?(registration: Registration): Promise<void>
  /** Makes the fields, without waiting for anything. `own` is what was read, undefined if it was not needed. */
  fields(registration: Registration, own: Own | undefined): RegisterFields
}

/** A section that reads the database for what it needs, every time. */
export function ownSection<Own>(
  asked: string[],
  read: (at: Reader, realm: RealmState, me: AccountRow) => Promise<Own>,
  fields: (own: Own, registration: Registration) => RegisterFields,
): Section {
  return { asked, read, fields: (registration, own) => fields(own as Own, registration) }
}
