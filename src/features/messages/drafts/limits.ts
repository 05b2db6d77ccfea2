/** The limits of drafts. */
export const draftLimits = {
  /** Drafts that a registration returns. */
  draftsInRegister: 1_000,
  /** Drafts in one request. */
  draftsPerRequest: 1_000,
  /** Drafts of one user. */
  draftsPerUser: 10_000,
} as const
