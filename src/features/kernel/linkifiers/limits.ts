/** The limits of links in topics. */
export const topicLinkLimits = {
  /** Topics of an organization of which a node knows the links. Of more, it forgets all. */
  topicsWithLinks: 10_000,
} as const
