/** The limits of logins by another service. */
export const signOnLimits = {
  /** Minutes in which a login at another service must be finished. */
  signOnMinutes: 10,
} as const
