/** The limits of topics' visibility. */
export const topicLimits = {
  /** Topics for which a user can choose the visibility. */
  mutedTopicsPerUser: 5_000,
  /**
   * Users whose policies for a topic change together and who are each told of their muted topics, also if these have not changed. Of more
   * users, only those are told who have muted the topic.
   */
  mutedTopicsTold: 100,
} as const
