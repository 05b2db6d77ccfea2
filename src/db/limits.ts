/** The limits of the work with the database. */
export const databaseLimits = {
  /** Seconds to connect to the database. */
  connectSeconds: 5,
  /** Seconds for one statement. */
  statementSeconds: 8,
  /** Seconds for which nothing may move on a connection in use. */
  silenceSeconds: 9,
  /**
   * Seconds for which a node may stop while it holds an organization's lock. Then its change is rolled back; the others that
   * wait for the lock have half of `statementSeconds` left.
   */
  lockSilenceSeconds: 4,
  /** Seconds that a request waits for its turn at the database. */
  turnSeconds: 8,
  /** Reads that may wait for a connection of a node. */
  readsWaiting: 2_000,
  /** Reads of one caller that may wait for a connection. */
  readsWaitingEach: 400,
  /** Seconds to connect to a replica. */
  replicaConnectSeconds: 2,
  /** Seconds in which a replica must say how far it has come. */
  replicaAnswerSeconds: 1,
  /** Seconds for one statement on a replica, before the database itself reads. */
  replicaStatementSeconds: 3,
  /** Seconds for which a statement on a replica waits for a lock. */
  replicaLockSeconds: 1,
  /** Seconds between looks at whether a replica can be used, the first moment at which one is used again that has failed. */
  replicaLookSeconds: 2,
  /** Ids of messages that are skipped when an older copy of the database is restored. */
  lostMessageIds: 1_000_000,
  /** Ids of each other kind that are skipped then. */
  lostIds: 10_000,
} as const
