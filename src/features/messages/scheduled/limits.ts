/** The limits of scheduled messages. */
export const scheduledLimits = {
  /** Messages that one user may have scheduled. */
  scheduledMessagesPerUser: 1_000,
  /** Seconds after its time until which a scheduled message is sent, if the server could not send it before. */
  lateSeconds: 600,
} as const
