/** The limits of resetting passwords. */
export const passwordResetLimits = {
  /** Seconds for which the link to choose a new password works. */
  resetLinkSeconds: 3_600,
  /** Milliseconds that a request for such a mail takes, whether or not it leads to one. */
  mailRequestMs: 300,
} as const
