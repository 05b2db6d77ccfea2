/** The limits of sessions. */
export const sessionLimits = {
  /** Sessions of one user. */
  sessionsPerUser: 50,
  /** Logins of a user that are remembered. */
  loginsKept: 50,
} as const
