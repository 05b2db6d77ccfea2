/** The limits of what the server itself relies on, and of what it says of that. Times are in seconds. */
export const serviceLimits = {
  // The database: to connect, for one statement, for a connection in use on which nothing moves, for a turn to write, for it to
  // come up when it says that it is starting.
  connectSeconds: 5,
  statementSeconds: 8,
  silenceSeconds: 9,
  turnSeconds: 8,
  databaseStartSeconds: 120,

  // For so long one request may have the event loop before others have their turn, where it may be interrupted.
  sliceMs: 10,

  // A change of many things goes in steps that take about so long. The first is so large, in pairs of a channel and a user
  // and in channels at once.
  stepMs: 40,
  subscriptionsInFirstStep: 500,
  channelsPerStep: 20,
  membersPerStep: 1_000,

  // NATS: how long connecting may take, and the bytes of a message that are waited for.
  natsSeconds: 3,
  natsUnreadBytes: 1024 * 1024,

  // A failure in the background that goes on is logged so often, and so many of them are told apart.
  failureSilenceSeconds: 60,
  failuresKnown: 200,
} as const
