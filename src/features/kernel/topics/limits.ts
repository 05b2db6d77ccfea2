/** The limits of topics' visibility. */
export const topicLimits = {
  /** Topics for which a user can choose the visibility. */
  mutedTopicsPerUser: 5_000,
} as const
