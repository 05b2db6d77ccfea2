/** The limits of the log. */
export const logLimits = {
  /** Items that are written in one turn. */
  groupSize: 256,
  /** Items that are written together; more go in two halves, one after the other. */
  undividedGroup: 32,
  /** Items that may wait for a batched write. */
  groupsWaiting: 5_000,
  /** Changes that wait until earlier ones of the same caller are written, on a node. */
  changesWaiting: 1_000,
  /** Changes of one caller that wait so. */
  changesWaitingEach: 200,
  /** Entries of the log that are read in one query. */
  entriesPerRead: 1_000,
  /** Times that a change takes the lock of an organization in which others write too much to be read under the lock. */
  triesToLock: 5,
  /** Nodes of which a node keeps what they follow. With more, all are told of all organizations. */
  nodesFollowing: 1_000,
  /** Entries of an organization that wait to be told to other nodes. Of more, the number of the last one is told. */
  entriesAnnounced: 1_000,
  /** Bytes of entries that workers of a server tell each other at a time. */
  callBytes: 1024 * 1024,
  /** Milliseconds that a page from memory waits for this node's writes, to have what others have written. */
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
  /** Times that the command copies what has changed, until that takes a quarter of this time. */
  moveRounds: 8,
  /** Seconds for which it does not move back where the last move began: servers that have not heard of that may still read there. */
  moveBackSeconds: 10,
  /** Milliseconds for which a move or an import waits for the lock of a table, while others wait behind it. */
  tableLockMs: 250,
  /** Milliseconds for which its later tries wait: PostgreSQL ends an autovacuum of the table for one who has waited for a second (deadlock_timeout). */
  vacuumedTableLockMs: 1_250,
  /** Seconds after which the rows are deleted that a move has left behind. */
  leftBehindSeconds: 3_600,
  /** Messages at the end of a conversation, or of one of its topics, that a node holds in memory. */
  newestOfConversation: 1_000,
  /** Bytes of such messages of one conversation, or of one of its topics. */
  newestBytesOfConversation: 4 * 1024 * 1024,
  /** Bytes of such messages of one organization. */
  newestBytesOfOrganization: 16 * 1024 * 1024,
  /** Bytes of such messages of all organizations. */
  newestBytes: 64 * 1024 * 1024,
  /** Messages at the end of an organization of which a node knows what conversation they are in. */
  newestOfOrganization: 4_000,
  /** Bytes of these messages of one organization that a node holds in memory. */
  feedBytesOfOrganization: 8 * 1024 * 1024,
  /** Bytes of these messages of all organizations. */
  feedBytes: 32 * 1024 * 1024,
  /** Messages at the end of an organization that a node reads to tell what is unread. */
  recentMessages: 100_000,
  /** Messages of these that it holds: of more, it forgets all, and reads them again when they are needed. */
  recentMostMessages: 200_000,
  /** Messages of these that may have changed since: of more, it forgets all. */
  recentUnsureMessages: 1_000,
  /** Messages of these that are read together: their JSON takes the event loop's time. */
  recentPortion: 20_000,
  /** Seconds between two readings of them. */
  recentSeconds: 300,
  /** Bytes of these messages of one organization that a node holds in memory. */
  recentBytesOfOrganization: 16 * 1024 * 1024,
  /** Bytes of these messages of all organizations. */
  recentBytes: 48 * 1024 * 1024,
  /** Messages that a reader has read, or marked as unread, since a node has looked up what they have read in a conversation. */
  readInRelation: 1_000,
  /** Bytes of what one reader has read of the newest messages, and of their flags. Of more, all is looked up again. */
  relationBytesOfReader: 1024 * 1024,
  /** Messages that change a flag of a reader together, times the conversations where it is noted: of more, all is looked up again. */
  flagsInRelations: 5_000,
  /** Bytes of what the readers of one organization have read of such messages, and of their flags. */
  relationBytesOfOrganization: 8 * 1024 * 1024,
  /** Bytes of that of all organizations. */
  relationBytes: 32 * 1024 * 1024,
  /** Rows that are removed in one step when logs are pruned: few enough that no send waits long for the disk. */
  prunedPerStep: 5_000,
  /** Seconds for which an entry of the log says who was present. Older ones keep their number only. */
  presenceEventSeconds: 3_600,
  /** Batches in which a node holds when the users of an organization were last present; the oldest ones are then joined. */
  presenceBatches: 1_024,
  /** Users in one such batch: few enough that one change in it costs little. */
  presenceBatchUsers: 512,
  /** Rounds in which the consequences of a change may have further ones. */
  consequenceRounds: 10,
  /** Rows that are copied by one query when an organization moves to another database. */
  rowsPerCopy: 1_000,
  /** Ids that are left free for rows that users create meanwhile. */
  spareIds: 10_000,
  /** Bytes of a call to other nodes through NATS. */
  natsCallBytes: 256 * 1024,
  /** Bytes of a call to other nodes through PostgreSQL, which takes 8,000. */
  postgresCallBytes: 7_900,
} as const
