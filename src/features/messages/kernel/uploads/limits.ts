/** The limits of files and the messages that link to them. */
export const claimLimits = {
  /** Days after which an upload that no message links to is removed. */
  unclaimedUploadDays: 35,
  /**
   * Messages, the newest that link to it, with which a file is listed. Bots may link to the same picture for years, and each such
   * message tells the owner of all of them.
   */
  messagesListed: 1_000,
} as const
