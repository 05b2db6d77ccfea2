/** The limits of removing old messages. */
export const retentionLimits = {
  /** Messages that one step examines. */
  retentionBatch: 500,
  /** Topics of which one step deletes messages. */
  retentionTopics: 50,
  /** Seconds that this runs before other work continues. */
  retentionSeconds: 10,
  /** Seconds between two runs. */
  retentionPauseSeconds: 3_600,
} as const
