/** The limits of event queues. */
export const queueLimits = {
  /** Entries of an organization's log that a node holds in memory. There may be twice as many, as they are forgotten in large steps. */
  eventsInMemory: 8_192,
  /** Bytes that these entries may take, with their events in each shape that clients receive. */
  eventBytesInMemory: 64 * 1024 * 1024,
  /** Bytes that the entries of all organizations may take on a node. */
  eventBytesOfNode: 128 * 1024 * 1024,
  /** Events in one response. */
  eventsPerAnswer: 2_000,
  /** Bytes of the events in one response, after which no further event is added. */
  eventBytesPerAnswer: 2 * 1024 * 1024,
  /** Events whose messages are read together, however long they are. */
  bodiesOfAnySize: 8,
  /** Bytes of the messages of more events that are read together. Further ones are read when these are on their way. */
  bodyBytesPerRead: 8 * 1024 * 1024,
  /** Bytes of events that are written to an event stream together. It gets more when its client has read them. */
  eventBytesPerPiece: 16 * 1024,
  /** Bytes of events that a node holds for event streams whose clients have not read what came before. */
  unreadEventBytes: 64 * 1024 * 1024,
  /** Clients that are offered new events immediately, if they wait. Others follow in later steps, between which other requests go on. */
  clientsInFirstStep: 1_000,
  /** Checks whether a new event is for a client. If several events need more, all clients are offered them in later steps. */
  checksInFirstStep: 5_000,
  /** Bytes of new events that clients get immediately, all of them together. */
  eventBytesInFirstStep: 4 * 1024 * 1024,
  /** Clients that are offered new events in each later step. */
  clientsPerStep: 250,
  /** Checks whether an event is for a client, in each later step. */
  checksPerStep: 1_000,
  /** Bytes of events that clients get in each later step, all of them together. */
  eventBytesPerStep: 2 * 1024 * 1024,
  /** Queues of one user. */
  queuesPerUser: 500,
  /** Seconds after a start within which a client's event id may show that the log has gone back. */
  putBackSeconds: 600,
  /** Seconds that a request waits for events. */
  longPollSeconds: 50,
  /**
   * Seconds until a client's response ends after another client has taken over its queue. Otherwise, two clients that return immediately
   * would take the queue from each other as fast as they can.
   */
  takeoverSeconds: 2,
  /** Seconds without a request after which a node releases the memory of an organization. */
  idleOrganizationSeconds: 900,
  /** Attempts to read the state for a registration while no event arrives. */
  snapshotAttempts: 20,
  /** Attempts of these that do not hold the log's lock. */
  snapshotAttemptsUnlocked: 3,
} as const
