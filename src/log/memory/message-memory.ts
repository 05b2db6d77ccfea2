import type { Entry } from '../entry.ts'

/** Something about messages that a node keeps in memory as it was read from the database, true to the log. */
export abstract class MessageMemory {
  protected isClosed = false

  /** Carries it forward by an entry of the log. */
  abstract fold(entry: Entry): void

  /** Forgets everything, also what is being read. */
  abstract clear(): void

  /** Forgets everything, and keeps nothing more: the state was replaced, or its log is not held in memory. */
  close() {
    this.isClosed = true
    this.clear()
  }

  /** Keeps things again: requests use the log again before it has left memory. */
  reopen() {
    this.isClosed = false
  }
}
