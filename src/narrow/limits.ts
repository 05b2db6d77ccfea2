/** The limits of narrows. */
export const narrowLimits = {
  /** Terms of a narrow: more than any user types. */
  terms: 100,
  /** Terms of the narrow of an event queue: few enough to try on every message, for every queue. */
  queueTerms: 20,
  /** Characters of an operand: longer than any name, and than any search. */
  operandLength: 1_000,
  /** Characters of the addresses of several users, with commas between them. */
  addressesLength: 10_000,
  /** Words of the searches in a narrow: more than any user types. PostgreSQL looks up each of them, in each message that it finds. */
  searchWords: 100,
  /** Phrases in quotes of these searches. */
  searchPhrases: 20,
  /** Ids in an operand. */
  operandIds: 1_000,
  /** Pairs of neighbors in words without spaces that the index looks for. More would not make it find less, as the texts themselves are compared anyway. */
  unspacedPairs: 40,
} as const
