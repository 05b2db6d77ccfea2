/** The limits of what a client asks of its queue. */
export const eventRequestLimits = {
  /** Characters of the event types and the narrow of a queue. */
  queueOptionsLength: 20_000,
} as const
