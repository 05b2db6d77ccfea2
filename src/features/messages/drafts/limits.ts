/** The limits of drafts. */
export const draftLimits = {
  /** Drafts that a registration returns. */
  draftsInRegister: 1_000,
  /** Drafts in one request. Other writers wait while it is written, and drafts may be long. */
  draftsPerRequest: 100,
  /** Drafts of one user. */
  draftsPerUser: 10_000,
} as const
