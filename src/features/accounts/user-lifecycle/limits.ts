/** The limits of deactivating users. */
export const deactivationLimits = {
  /** Characters of an administrator's comment to a user whom they deactivate. */
  deactivationCommentLength: 2_000,
} as const
