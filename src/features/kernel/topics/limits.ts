/** The limits of topics' visibility. */
export const topicLimits = {
  /** Topics for which a user can choose the visibility. */
  mutedTopicsPerUser: 5_000,
  /**
   * Users who begin to follow a topic together and are each told of their muted topics. These have not changed, so more users are told
   * nothing of them.
   */
  mutedTopicsTold: 100,
} as const
