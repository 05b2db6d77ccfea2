import type { Entry } from '../entry.ts'

/** Data about an organization's messages that a node has read from the database, and keeps true to the log in memory. */
export abstract class MessageMemory {
  protected isClosed = false

  /** Carries the data forward by an entry of the log. */
  abstract fold(entry: Entry): void

  /** Forgets everything. Data that is being read is not kept either. */
  abstract clear(): void

  /** Forgets everything, and keeps nothing more: the state was replaced, or its log is not held in memory. */
  close() {
    this.isClosed = true
    this.clear()
  }

  /** Keeps data again: a request uses the log before it has left memory. */
  reopen() {
    this.isClosed = false
  }
}
