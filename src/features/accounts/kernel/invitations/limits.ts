/** The limits of invitations. */
export const invitationLimits = {
  /** Minutes for which an invitation is valid by default. */
  invitationMinutes: 14_400,
  /** Links of an organization that are open. */
  inviteLinks: 1_000,
  /** Invitations that an organization mails in a day. */
  invitationsPerDay: 500,
  /** Mails a day about one invitation. */
  resendsPerDay: 5,
  /** Days for which an invitation is kept after it is over. */
  invitationsKeptDays: 30,
} as const
