/** The limits of the organization's settings. */
export const realmLimits = {
  /** Characters of the organization's name. */
  realmNameLength: 40,
  /** Characters of the organization's description. */
  realmDescriptionLength: 1_000,
  /** Days of the waiting period for new members. */
  waitingPeriodDays: 36_500,
  /** Units of the longest time limit, which is in seconds, minutes or days. */
  longestTimeLimit: 2 ** 31 - 1,
  /** Days between the deactivation of an organization and its deletion, which clients offer at least. */
  realmDeletionMinDays: 14,
} as const
