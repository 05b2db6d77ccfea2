/** The limits of the pages that registrations share. */
export const registrationLimits = {
  /** Ids, one after the other, of channels whose JSON is kept together for all members. */
  channelIdsPerPage: 128,
  /** Ids, one after the other, of channels whose JSON is kept together for users who were never subscribed to them. */
  unsubscribedIdsPerPage: 32,
  /** Ids of such a page that are kept together for users who were subscribed to a channel of it. */
  unsubscribedIdsPerPart: 8,
  /** Subscribers of a channel on such a page: one subscription makes its text anew. */
  subscribersOnPage: 2_000,
} as const
