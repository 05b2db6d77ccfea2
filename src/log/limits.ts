/** The limits of the log. */
export const logLimits = {
  /** Items of batched writes that are written in one turn of the log. */
  groupSize: 256,
  /** Items that are written by one statement. A larger group is written in two halves, one after the other. */
  undividedGroup: 32,
  /** Items that may wait for a batched write. */
  groupsWaiting: 5_000,
  /** Changes that wait on a node until earlier ones of the same caller are written. */
  changesWaiting: 1_000,
  /** Changes of one caller that wait until its earlier ones are written. */
  changesWaitingEach: 200,
  /** Entries of the log that are read in one query. */
  entriesPerRead: 1_000,
  /** Times that a change takes the lock of an organization in which others have written too much to read it while holding the lock. */
  triesToLock: 5,
  /** Nodes of which a node knows which organizations they follow. If there are more, it tells all nodes of all organizations. */
  nodesFollowing: 1_000,
  /** Entries of an organization that wait to be sent to other nodes. If there are more, only the number of the last one is sent. */
  entriesAnnounced: 1_000,
  /** Bytes of entries in one call between the workers of a server. */
  callBytes: 1024 * 1024,
  /** Milliseconds that a page from memory waits for writes of this node that keep it from reading what other nodes have written. */
  lookMs: 100,
  /** Rows of a table that are read first when an organization is loaded. */
  rowsPerRead: 4_000,
  /** Rows of a larger table that are then read in one query, by columns. */
  rowsPerColumnRead: 8_000,
  /** Days for which the response to a request with an idempotency key is kept. */
  idempotencyKeyDays: 7,
  /** Milliseconds that one step of a large change should take. */
  stepMs: 40,
  /** Seconds for which nobody can write in an organization while a command moves it to another database. */
  movePauseSeconds: 4,
  /** Times that the command copies what has changed meanwhile, before it gives up: the last copy must take a quarter of that time at most. */
  moveRounds: 8,
  /** Seconds for which an organization does not move back to where its last move began: servers that do not know of that move may still read there. */
  moveBackSeconds: 10,
  /** Milliseconds for which a move or an import waits for the lock of a table, while others wait behind it. */
  tableLockMs: 250,
  /** Milliseconds for which later tries wait: PostgreSQL cancels an autovacuum of the table when another session has waited for a second (deadlock_timeout). */
  vacuumedTableLockMs: 1_250,
  /** Seconds after which rows that a move has left behind are deleted. */
  leftBehindSeconds: 3_600,
  /** Messages at the end of a conversation, or of one of its topics, that a node holds in memory (NewestMessages). */
  newestOfConversation: 1_000,
  /** Bytes of these messages of one conversation, or of one of its topics. */
  newestBytesOfConversation: 4 * 1024 * 1024,
  /** Bytes of these messages of one organization. */
  newestBytesOfOrganization: 16 * 1024 * 1024,
  /** Bytes of these messages of all organizations. */
  newestBytes: 64 * 1024 * 1024,
  /** Messages at the end of an organization whose conversations a node holds in memory (Feed). */
  newestOfOrganization: 4_000,
  /** Bytes of one organization's feed. */
  feedBytesOfOrganization: 8 * 1024 * 1024,
  /** Bytes of the feeds of all organizations. */
  feedBytes: 32 * 1024 * 1024,
  /** Messages at the end of an organization that a node reads to find unread ones (RecentMessages). */
  recentMessages: 100_000,
  /** Messages that it then holds, with those that are sent later. If there are more, it forgets all, and reads them again when they are needed. */
  recentMostMessages: 200_000,
  /** Messages among them that may have changed since. If there are more, it forgets all. */
  recentUnsureMessages: 1_000,
  /** Messages of them that one query reads: the event loop stands still while their JSON is parsed. */
  recentPortion: 20_000,
  /** Seconds between two readings of them. */
  recentSeconds: 300,
  /** Bytes of them of one organization. */
  recentBytesOfOrganization: 16 * 1024 * 1024,
  /** Bytes of them of all organizations. */
  recentBytes: 48 * 1024 * 1024,
  /** Messages that a reader may read, or mark as unread, until their relation to a conversation (Relations) is looked up again. */
  readInRelation: 1_000,
  /** Bytes of one reader's relations. If they take more, all are looked up again. */
  relationBytesOfReader: 1024 * 1024,
  /** Messages of which a reader changes a flag by one request, times the reader's relations. If there are more, all are looked up again. */
  flagsInRelations: 5_000,
  /** Bytes of the relations of one organization's readers. */
  relationBytesOfOrganization: 8 * 1024 * 1024,
  /** Bytes of the relations of all organizations. */
  relationBytes: 32 * 1024 * 1024,
  /** Rows that are removed in one step when logs are pruned: few enough that no send waits long for the disk. */
  prunedPerStep: 5_000,
  /** Seconds for which an entry of the log says who was present. Older ones keep their number only. */
  presenceEventSeconds: 3_600,
  /** Batches in which a node holds when the users of an organization were last present. If there are more, the oldest ones are joined. */
  presenceBatches: 1_024,
  /** Users in one such batch: few enough that one change in it costs little. */
  presenceBatchUsers: 512,
  /** Rounds in which consequences of a change may have further consequences. */
  consequenceRounds: 10,
  /** Rows that are copied by one query when an organization moves to another database. */
  rowsPerCopy: 1_000,
  /** Ids that a move leaves free for rows that users create meanwhile. */
  spareIds: 10_000,
  /** Bytes of a call to other nodes through NATS. */
  natsCallBytes: 256 * 1024,
  /** Bytes of a call to other nodes through PostgreSQL, which takes fewer than 8,000. */
  postgresCallBytes: 7_900,
} as const
