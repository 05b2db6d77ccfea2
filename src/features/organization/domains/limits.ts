/** The limits of allowed email domains. */
export const domainLimits = {
  /** Domains of an organization. */
  allowedDomains: 1_000,
  /** Characters of a domain. */
  domainLength: 253,
} as const
