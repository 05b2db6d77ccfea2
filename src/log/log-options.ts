import type { Actor } from './audit/actor.ts'
import type { Consequence } from './consequences.ts'
import type { HandOver } from './nodes/handed-writes.ts'

/**
 * Seconds since 1970, the consequences of row changes, and who acts if a commit names nobody: by default the server.
 * `handOver`: what writes batches in another worker.
 */
export type LogOptions = {
  clock: () => number
  consequences: readonly Consequence[]
  actor?: Actor
  handOver?: HandOver | undefined
  /** Called after each commit of this node. */
  onCommit?: ((isEmpty: boolean) => void) | undefined
  /** Receives why a database could not be looked at for what others wrote; by default nothing does. */
  report?: ((error: unknown) => void) | undefined
}
