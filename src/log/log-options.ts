import type { Actor } from './audit/actor.ts'
import type { Consequence } from './consequences.ts'
import type { HandOver } from './nodes/handed-writes.ts'

export type LogOptions = {
  /** Returns seconds since 1970. */
  clock: () => number
  /** What follows from row changes. */
  consequences: readonly Consequence[]
  /** The actor of commits that name none; by default the server. */
  actor?: Actor
  /** Writes an item of a batch in another worker, if that one writes for the organization. */
  handOver?: HandOver | undefined
  /** Called after each commit of this node. */
  onCommit?: ((isEmpty: boolean) => void) | undefined
  /** Receives why a database could not be checked for what others wrote; by default nothing does. */
  report?: ((error: unknown) => void) | undefined
}
