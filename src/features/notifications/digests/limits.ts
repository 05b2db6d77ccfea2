/** The limits of mails with the digest of a week. */
export const digestLimits = {
  /** Hours after midnight, in the reader's time zone, from which a digest is sent. */
  digestHour: 8,
  /** Days of messages and of new channels that a digest is about. */
  digestDays: 7,
  /** Days without activity after which a user gets a digest. */
  digestAwayDays: 5,
  /** Users whom one step examines. */
  digestUsers: 1_000,
  /** Readers for whom one step writes digests. */
  digestReaders: 25,
  /** Channels of a reader that are examined: those with the newest messages. */
  digestChannels: 200,
  /** Topics of a channel that are examined: those with the most messages. */
  digestTopicsOfChannel: 20,
  /** Topics of all channels that are examined for a reader: those with the most messages. */
  digestTopicsLookedAt: 100,
  /** Topics in a digest. */
  digestTopics: 5,
  /** Messages of a topic in a digest. */
  digestMessages: 3,
  /** Characters of a message in a digest. */
  digestMessageLength: 400,
  /** Channels that a digest names as new. */
  digestNewChannels: 10,
  /** Channels of which one query counts the messages. */
  digestCountedChannels: 200,
  /** Channels whose counts are kept in memory for the next steps. */
  digestChannelsKept: 5_000,
  /** Time zones whose clocks are kept in memory for the next steps. */
  digestZonesKept: 1_000,
  /** Mails of an organization that are yet to be delivered when its digests wait. */
  digestMailsWaiting: 300,
  /** Seconds for which they wait. */
  digestPauseSeconds: 10,
  /** Seconds after which a run that another run continued looks at all users again. */
  digestAgainSeconds: 600,
  /** Seconds that this runs before the turn of another organization. */
  digestSeconds: 10,
  /** Organizations for which a node writes digests concurrently. */
  concurrentDigests: 2,
} as const
