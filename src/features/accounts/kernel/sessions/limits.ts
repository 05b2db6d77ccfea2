/** The limits of sessions. */
export const sessionLimits = {
  /** Sessions of one user. */
  sessionsPerUser: 50,
  /** Logins of a user that are remembered. */
  loginsKept: 50,
  /** Organizations that a browser remembers to have signed in to. */
  knownOrganizations: 20,
  /** Characters of the cookie with their names. */
  knownOrganizationsLength: 1_000,
  /** Days for which a browser remembers them after its last login. */
  knownOrganizationsDays: 365,
} as const
