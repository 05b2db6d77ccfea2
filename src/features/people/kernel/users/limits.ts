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
  /** Users whose addresses events show to a user with a new role, or hide. If there are more, the queues of that user's clients end. */
  addressesByRole: 500,
  /** Ids, one after the other, of users whose JSON is kept together: few enough that one change costs little, and enough to compress well. */
  userIdsPerPage: 256,
  /** Users who are looked at before others may go on. */
  usersPerStep: 1_000,
} as const
