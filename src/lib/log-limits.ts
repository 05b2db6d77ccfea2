/** The limits of the log and its queues; all limits are in limits.ts. */
export const logLimits = {
  groupSize: 256,
  groupsWaiting: 20_000,
  eventsInMemory: 8_192,
  eventBytesInMemory: 64 * 1024 * 1024,
  eventsPerAnswer: 2_000,
  entriesPerRead: 1_000,
  calledInLog: 100, // people whom an event lists
  lostMessageIds: 1_000_000, // message ids that may be lost with the newest data when an older copy is restored
  lostIds: 10_000, // ids of each other kind, likewise
  queuesPerUser: 500,
  putBackSeconds: 600, // after a start, within which a client may show that the log has gone back
  queueOptionsLength: 20_000,
  longPollSeconds: 50,
  secondLooks: 60, // a minute, for each caller that is refused something
  snapshotAttempts: 20,
  snapshotAttemptsUnlocked: 3,
} as const
