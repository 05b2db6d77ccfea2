import type { Trial } from './trial.ts'

/** The texts that must report a fault, in each way; undefined: none is needed. */
type Expected = { ready?: RegExp; metrics?: RegExp; log?: RegExp; doctor?: RegExp }

/** One fault. */
export type Fault = {
  name: string
  /** Prepares the fault before the server starts: settings, a service that does not work. */
  before?(trial: Trial): Promise<unknown> | unknown
  /**
   * Causes the fault while the server runs, and sends a request that meets it. Called again until everything expected
   * is reported.
   */
  cause?(trial: Trial): Promise<unknown> | unknown
  /** The requests of users meanwhile. Repeated until everything expected is reported. */
  meet?(trial: Trial): Promise<unknown> | unknown
  /** Metrics that are of interest besides checks and failures. */
  metrics?: RegExp
  expected: Expected
}
