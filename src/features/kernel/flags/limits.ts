/** The limits of read state. */
export const flagLimits = {
  /** Messages that a registration lists as unread. */
  unreadMessages: 50_000,
  /** Unread messages of one reader for which a node reads the newest messages into memory. */
  manyUnread: 5_000,
} as const
