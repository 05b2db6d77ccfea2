/** The limits of files in the storage. */
export const storedFileLimits = {
  /** Seconds after which a file that is recorded nowhere is removed. */
  unrecordedFileSeconds: 3_600,
  /** Seconds between two removals of unfinished files. */
  tidyFilesSeconds: 3_600,
  /** Files without a row that are removed before others are looked up. */
  removedFilesPerStep: 500,
} as const
