/** The limits of outgoing webhooks. */
export const outgoingLimits = {
  /** Attempts to deliver a message. */
  outgoingTries: 5,
  /** Seconds for a request. */
  outgoingSeconds: 10,
  /** Requests of one bot that run concurrently. */
  concurrentOutgoingPerBot: 4,
  /** Bytes of a response. */
  outgoingAnswer: 1024 * 1024,
  /** Days for which requests that could not be delivered are kept for the operator. */
  outgoingKeptDays: 7,
} as const
