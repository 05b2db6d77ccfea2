/** The limits of presence. */
export const presenceLimits = {
  /** Seconds between two reports of a client. */
  presencePingSeconds: 60,
  /** Seconds without a report after which a user counts as offline. */
  presenceOfflineSeconds: 200,
  /** Seconds for which a known presence is good enough. */
  presenceRestSeconds: 55,
  /** Seconds between two writes of what a node has received. */
  presenceWriteSeconds: 2,
  /** Users of the largest organization in which all users hear immediately of each arrival. */
  presenceEventPeople: 100,
  /** Days that clients look back by default. */
  presenceHistoryDays: 14,
  /** Forms of an announcement that are kept serialized. */
  presenceForms: 64,
} as const
