/** The limits of the services that the server relies on, and of what it logs about them. Times are in seconds. */
export const serviceLimits = {
  // The database: to connect, for one statement, for a connection in use on which nothing moves, to wait for a write
  // slot, and to come up when it says that it is starting.
  connectSeconds: 5,
  statementSeconds: 8,
  silenceSeconds: 9,
  turnSeconds: 8,
  databaseStartSeconds: 120,

  // How long one request may hold the event loop before other requests continue, where it can be interrupted.
  sliceMs: 10,

  // A change of many items runs in steps that take about this long, and this is the size of the first step: in pairs of
  // a channel and a user, and in channels.
  stepMs: 40,
  subscriptionsInFirstStep: 500,
  channelsPerStep: 20,
  membersPerStep: 1_000,
  readersPerStep: 1_000,

  // NATS: how long connecting may take, and the bytes of a message that are waited for.
  natsSeconds: 3,
  natsUnreadBytes: 1024 * 1024,

  // A continuing background failure is logged again after this many seconds, and this many different failures are
  // distinguished.
  failureSilenceSeconds: 60,
  failuresKnown: 200,
} as const
