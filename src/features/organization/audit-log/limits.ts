/** The limits of the audit log. */
export const auditLimits = {
  /** Entries that one response has. */
  auditEntriesPerPage: 1_000,
  /** Entries of a response that does not say how many it wants. */
  auditEntriesByDefault: 100,
  /** Days for which entries are kept at least: those who take over an account cannot remove their traces quickly. */
  auditDaysAtLeast: 30,
  /** Days for which entries are kept at most, unless they are kept forever. */
  auditDaysAtMost: 36_500,
  /** Entries that the command reads together. */
  auditEntriesPerRead: 1_000,
} as const
