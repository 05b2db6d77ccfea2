/** The limits of muting users. */
export const mutedUserLimits = {
  /** Users whom one user mutes. */
  mutedUsersPerUser: 10_000,
} as const
