/** The limits of a registration's list of conversations. */
export const conversationLimits = {
  /** Conversations that a registration lists as recent. */
  recentDirectMessages: 1_000,
} as const
