/** The limits of users. */
export const personLimits = {
  /** Characters of a full name at most. */
  fullNameLength: 100,
  /** Characters of a full name at least. */
  fullNameMinLength: 2,
  /**
   * Users of whom events tell a guest who may not see all users that they are shown now, or no longer. If a change concerns more, the
   * queues of the guest's clients end.
   */
  usersMet: 500,
} as const
