/** The limits of sending and fetching messages. */
export const messagingLimits = {
  /** Participants of a conversation. An index holds their ids, and its rows end at 2,704 bytes. */
  directMessagePeople: 500,
  /** Subscribers or participants whom any user may mention by a wildcard. More take a permission. */
  fewSubscribers: 15,
  /** Messages that a request returns or names. */
  messagesPerFetch: 5_000,
  /** Messages whose lengths are not looked at before they are read. */
  messagesOfAnyLength: 100,
  /** MiB of the texts of a page of more messages. If theirs are longer, it has fewer messages. */
  pageMib: 16,
  /** Messages on one side of the anchor that PostgreSQL searches in any way it likes. */
  searchedInOneWay: 1_000_000,
  /** Messages next to the anchor that a search of more reads first, to see how many of them match. */
  searchedFirst: 1_000,
  /** Messages that it reads next, if that suggests that enough of them match. */
  searchedByReading: 20_000,
} as const
