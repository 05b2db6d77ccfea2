/** The limits of the messages that incoming webhooks make. */
export const incomingLimits = {
  /** Commits that a message lists. */
  webhookCommits: 20,
  /** Alerts that a message lists. */
  webhookAlerts: 20,
  /** Changes that a message lists. */
  webhookChanges: 20,
  /** Characters of a title. */
  webhookTitleLength: 200,
} as const
