/** The limits of API keys. */
export const apiKeyLimits = {
  /** Keys of one user. */
  apiKeysPerUser: 100,
} as const
