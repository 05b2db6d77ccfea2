/** The limits of taking part in a widget. */
export const submessageLimits = {
  /** Characters of a submessage. */
  submessageLength: 10_000,
  /** Characters of a submessage's type. */
  submessageTypeLength: 60,
  /** Submessages of a message. */
  submessagesPerMessage: 5_000,
  /** Bytes of all submessages of a message. */
  submessagesLength: 500_000,
} as const
