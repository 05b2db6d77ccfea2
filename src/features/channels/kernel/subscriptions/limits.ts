/** The limits of lists of subscribers. */
export const subscriberLimits = {
  /** Subscribers from which on clients that ask for partial lists get a part of a channel's list (level 412). */
  partialFrom: 250,
  /** Days for which users who were present are in such a part. */
  partialActiveDays: 14,
} as const
