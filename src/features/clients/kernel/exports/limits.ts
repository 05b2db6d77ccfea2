/** The limits of reading for an export. */
export const exportReadLimits = {
  /** Rows that are read in one query: few, as a message may have megabytes of earlier versions. */
  exportPortion: 50,
} as const
