/** The limits of reading for an export. */
export const exportReadLimits = {
  /** Rows that are read in one query. */
  exportPortion: 200,
} as const
