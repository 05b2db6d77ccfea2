/** The limits of exports and imports. */
export const exportLimits = {
  /** Exports that a node runs concurrently. */
  concurrentExports: 1,
  /** Exports that an organization, or a user for their own data, may request in a week. */
  exportsPerWeek: 5,
  /** Days for which a user's export of their own data is kept. */
  ownExportDays: 7,
  /** Bytes of rows that are imported in one statement. */
  importPortion: 2 * 1024 * 1024,
  /** Files that a warning about missing files names. */
  missingFilesNamed: 10,
} as const
