/** The limits of read state. */
export const flagLimits = {
  /** Messages that a registration lists as unread. */
  unreadMessages: 50_000,
  /** Messages that a reader must have unread before a node reads the newest messages into memory. */
  manyUnreadMessages: 5_000,
  /** Own messages in a row that are passed over to join what the user has read before and after them. */
  ownMessagesPassed: 100,
} as const
