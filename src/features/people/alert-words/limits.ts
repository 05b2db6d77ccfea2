/** The limits of alert words. */
export const alertWordLimits = {
  /** Characters of an alert word. */
  alertWordLength: 100,
  /** Words of one user. */
  alertWordsPerUser: 1_000,
} as const
