/** The limits of the command line. */
export const cliLimits = {
  /** Seconds to wait for a database that says that it is starting. */
  databaseStartSeconds: 120,
  /** Mails that a command lists. */
  mailsListed: 500,
} as const
