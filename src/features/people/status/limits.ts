/** The limits of a user's status. */
export const statusLimits = {
  /** Characters of a status. */
  statusTextLength: 60,
} as const
