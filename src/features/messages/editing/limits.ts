/** The limits of editing, moving and deleting. */
export const editLimits = {
  /** Senders that the extent of a move names. */
  moveExtentSenders: 20,
  /** Changes to a message. */
  editsPerMessage: 1_000,
  /** Bytes of all earlier versions of a message, and of their HTML, as JSON: every page has them, and every edit writes them again. */
  editHistoryBytes: 1_000_000,
  /** Messages that one step moves or deletes. */
  editBatch: 1_000,
  /** Bytes of the texts of messages that one step moves, but for the last one. */
  editBatchBytes: 500_000,
  /** Readers' states that one step moves with them. */
  editBatchReads: 2_500_000,
  /** Messages in the smallest such step. */
  editBatchSmallest: 100,
  /** Seconds for which deleting a topic goes on before the response. */
  topicDeletionSeconds: 10,
  /** Seconds in which resolving a topic and the opposite withdraw each other's notices. */
  resolveUndoSeconds: 60,
  /** Comparisons to compute one edit. */
  diffSteps: 250_000,
  /** Comparisons to compute all edits of a message. */
  historyDiffSteps: 2_000_000,
} as const
