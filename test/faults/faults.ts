import type { Trial } from './trial.ts'

/** What must be said of a fault, in each way; undefined: nothing has to be. */
type Expected = { ready?: RegExp; metrics?: RegExp; log?: RegExp; doctor?: RegExp }

/** One thing that goes wrong. */
export type Fault = {
  name: string
  /** What is prepared before the server starts: settings, a service that does not work. */
  before?(trial: Trial): Promise<unknown> | unknown
  /** What goes wrong while it runs, and the request that meets it. It is called again until all is said that is expected. */
  cause?(trial: Trial): Promise<unknown> | unknown
  /** What users do meanwhile; repeated until all is said that is expected. */
  meet?(trial: Trial): Promise<unknown> | unknown
  /** Metrics that are of interest besides checks and failures. */
  metrics?: RegExp
  expected: Expected
}
