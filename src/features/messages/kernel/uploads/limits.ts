/** The limits of files that nothing links to. */
export const claimLimits = {
  /** Days after which an upload that no message links to is removed. */
  unclaimedUploadDays: 35,
} as const
