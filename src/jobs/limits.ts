/** The limits of scheduled work. */
export const jobLimits = {
  /** Seconds after which a node looks at all organizations, not only at those with activity. */
  allSeconds: 60,
  /** Organizations with work due within that time that a node checks every second. If there are more, it checks only those with work now. */
  organizationsNear: 1_000,
  /** Organizations for which a node remembers when it last ran one of their jobs. */
  jobsRemembered: 1_000,
  /** Jobs that a node runs concurrently. */
  concurrentJobs: 20,
  /** Jobs of the slow kinds that a node runs concurrently with these. */
  concurrentSlowJobs: 60,
  /** Seconds for which a node has a lease on a job that it runs, unless it renews it. */
  jobLeaseSeconds: 20,
  /** Seconds after which a removal of files that a backup has held up is tried again. */
  heldRemovalSeconds: 60,
  /** Seconds beyond the latest usual date of a job, or after which a lease ends at most: those of a later one come from a clock that was ahead. */
  strayedSeconds: 3_600,
  /** Seconds after which a node looks for such dates again; it also does so when its clock has been set back. */
  strayedLookSeconds: 3_600,
  /** Attempts before a failing job is parked. */
  jobAttempts: 8,
  /** Seconds of the longest pause between two attempts. */
  jobPauseSeconds: 600,
} as const
