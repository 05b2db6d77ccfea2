/** The limits of src/lib. */
export const libLimits = {
  /** Characters of an email address. */
  emailLength: 254,
  /** Characters of a URL template. */
  urlTemplateLength: 2_000,
  /**
   * Milliseconds of a time slice: work that can be interrupted lets other requests go on after it.
   */
  sliceMs: 10,
  /** Chunks of a response that are deflated concurrently. The process has four threads for that and for reading files. */
  concurrentDeflates: 2,
  /** Seconds after which a continuing background failure is logged again. */
  failureSilenceSeconds: 60,
  /** Lines a minute about requests that failed because of one component. */
  failuresOfRequests: 20,
  /** Failures that are distinguished for this. */
  failuresKnown: 200,
  /** Callers that a node counts for one rate limit. */
  callersCounted: 100_000,
} as const
