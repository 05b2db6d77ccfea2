/** The limits of users' names. */
export const personLimits = {
  /** Characters of a full name at most. */
  fullNameLength: 100,
  /** Characters of a full name at least. */
  fullNameMinLength: 2,
} as const
