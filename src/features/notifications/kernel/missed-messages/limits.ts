/** The limits of mails about missed messages. */
export const missedLimits = {
  /** Seconds between two searches for missed messages. */
  missedPollSeconds: 1,
  /** Messages that one step examines. */
  missedBatch: 1_000,
  /** Seconds of age until which a message is notified of. */
  missedSeconds: 3_600,
  /** Seconds without activity after which a user counts as away. */
  missedAwaySeconds: 140,
  /** Messages in one mail. */
  missedMessagesPerMail: 50,
  /** Characters of a message in a mail. */
  missedMessageLength: 2_000,
  /** Messages that are examined for one mail. */
  missedMessagesLookedAt: 500,
} as const
