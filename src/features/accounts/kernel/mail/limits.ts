/** The limits of mails about accounts. */
export const accountMailLimits = {
  /** Seconds for which the link to unsubscribe works. */
  unsubscribeLinkSeconds: 90 * 86_400,
  /** Seconds of age until which an account receives no mail about logins. */
  newAccountSeconds: 60,
} as const
