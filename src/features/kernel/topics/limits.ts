/** The limits of topics. */
export const topicLimits = {
  /** Topics for which a user can choose the visibility. */
  mutedTopicsPerUser: 5_000,
  /**
   * Users whose policies for a topic change together and who all get an event with their muted topics, even if these have not changed. If there
   * are more, only those who have muted the topic get one.
   */
  mutedTopicsTold: 100,
  /** Bytes of the names of an organization's topics that are known to have messages. */
  knownTopicBytes: 8 * 1024 * 1024,
  /** Bytes of such names of all organizations of a node. */
  knownTopicBytesOfNode: 64 * 1024 * 1024,
} as const
