/** The limits of scheduled messages. */
export const scheduledLimits = {
  /** Messages that one user may have scheduled. */
  scheduledMessagesPerUser: 1_000,
} as const
