/** The limits of read state. */
export const flagLimits = {
  /** Messages that a registration lists as unread. */
  unreadMessages: 50_000,
} as const
