/** The limits of reports to moderators. */
export const reportLimits = {
  /** Characters of a report. */
  reportDescriptionLength: 1_000,
} as const
