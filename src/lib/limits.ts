/** The limits of what any server has. */
export const libLimits = {
  /** Characters of an email address. */
  emailLength: 254,
  /** Characters of a URL template. */
  urlTemplateLength: 2_000,
  /**
   * Milliseconds for which a request may hold the event loop before others continue, where it can be interrupted.
   */
  sliceMs: 10,
  /** Parts of a response that are deflated at the same time. The process has four threads for that, and for reading files. */
  deflatedAtOnce: 2,
  /** Seconds after which a continuing background failure is logged again. */
  failureSilenceSeconds: 60,
  /** Lines a minute about requests that failed because of one component. */
  failuresOfRequests: 20,
  /** Failures that are told apart for this. */
  failuresKnown: 200,
  /** Callers that a node counts for one rate limit. */
  callersCounted: 100_000,
} as const
