/** Everything that grows has its limit here. Lengths are in characters (code points), sizes in bytes, times in seconds. */
export const limits = {
  // What clients are told in POST /register.
  messageLength: 10_000,
  topicLength: 60,
  channelNameLength: 60,
  channelDescriptionLength: 1024,
  channelFolderNameLength: 60,
  channelFolderDescriptionLength: 1024,
  fullNameLength: 100,
  fullNameMinLength: 2,
  emailLength: 254,
  passwordLength: 100,
  passwordMinLength: 6,
  bulkNewSubscriptionMessages: 100,
  unreadMessages: 50_000,
  recentDirectMessages: 1_000,
  draftsInRegister: 1_000,

  // Requests.
  requestBody: 25 * 1024 * 1024,
  requestHeaders: 64 * 1024,
  requestSeconds: 60,
  parametersPerRequest: 1_000,
  messagesPerFetch: 5_000,
  requestsPerMinute: 200,
  anonymousRequestsPerMinute: 100,
  failedLogins: 5,
  failedLoginSeconds: 1_800,
  apiKeysPerUser: 100,
  idempotencyKeyLength: 200,

  // The log and its queues.
  groupSize: 256,
  groupsWaiting: 20_000,
  eventsInMemory: 8_192,
  eventsPerAnswer: 2_000,
  entriesPerRead: 1_000,
  queuesPerUser: 500,
  longPollSeconds: 50,
  clientLongPollSeconds: 90,
  snapshotAttempts: 20,
  snapshotAttemptsUnlocked: 3,
} as const
