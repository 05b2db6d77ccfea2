/** The limits of sending and fetching messages. */
export const messagingLimits = {
  /** Participants of a conversation. An index holds their ids, and its rows end at 2,704 bytes. */
  directMessagePeople: 500,
  /** Subscribers or participants whom any user may mention by a wildcard. More take a permission. */
  fewSubscribers: 15,
  /** Messages that a request returns or names. */
  messagesPerFetch: 5_000,
  /** Messages from the anchor on that PostgreSQL searches in any way it likes. */
  searchedInOneWay: 1_000_000,
  /** Messages from the anchor on that a search reads for its words, where there are more. */
  searchedByReading: 20_000,
} as const
