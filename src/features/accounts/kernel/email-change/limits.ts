/** The limits of changing an email address. */
export const emailChangeLimits = {
  /** Seconds for which the link to confirm an address works. */
  emailLinkSeconds: 86_400,
} as const
