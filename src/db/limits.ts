/** The limits of the work with the database. */
export const databaseLimits = {
  /** Seconds to connect to the database. */
  connectSeconds: 5,
  /** Seconds for one statement. */
  statementSeconds: 8,
  /** Seconds for which nothing may move on a connection in use. */
  silenceSeconds: 9,
  /**
   * Seconds for which a node that holds an organization's lock may be silent. After that, its change is rolled back. The others that
   * wait for the lock still have half of `statementSeconds` then.
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
  /** Seconds in which a replica must report how far it has come. */
  replicaAnswerSeconds: 1,
  /** Seconds for one statement on a replica, before the database itself reads. */
  replicaStatementSeconds: 3,
  /** Seconds for which a statement on a replica waits for a lock. */
  replicaLockSeconds: 1,
  /** Seconds between checks whether a replica can be used. One that has failed is used again after the next successful check. */
  replicaLookSeconds: 2,
  /** Ids of messages that are skipped when an older copy of the database is restored. */
  lostMessageIds: 1_000_000,
  /** Ids of each other kind that are skipped then. */
  lostIds: 10_000,
} as const
