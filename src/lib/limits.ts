import { fileLimits } from './file-limits.ts'
import { logLimits } from './log-limits.ts'
import { serviceLimits } from './service-limits.ts'
import { toldLimits } from './told-limits.ts'

/** Everything that grows has its limit here. Lengths are in characters (code points), sizes in bytes, times in seconds. */
export const limits = {
  ...toldLimits,
  ...logLimits,
  ...serviceLimits,
  ...fileLimits,

  // Items of each kind that POST /register returns.
  unreadMessages: 50_000,
  recentDirectMessages: 1_000,
  draftsInRegister: 1_000,

  // Users and the organization.
  fullNameLength: 100,
  fullNameMinLength: 2,
  emailLength: 254,
  statusTextLength: 60,
  alertWordLength: 100,
  alertWordsPerUser: 1_000,
  mutedUsersPerUser: 10_000,
  mutedTopicsPerUser: 5_000,
  profileFieldNameLength: 40,
  profileFieldHintLength: 80,
  profileFieldDataLength: 50_000,
  profileFields: 100,
  profileFieldPeople: 1_000,
  profileFieldsInSummary: 2,
  shortProfileTextLength: 50,
  longProfileTextLength: 500,
  profileUrlLength: 2_000,
  settingPixels: 1_000,
  realmNameLength: 40,
  realmDescriptionLength: 1_000,
  waitingPeriodDays: 36_500,
  longestTimeLimit: 2 ** 31 - 1,

  // Channels and groups. Wildcard mentions of more than a few subscribers take a permission.
  newChannelsPerRequest: 500,
  channelsPerRequest: 1_000,
  // Pairs of a channel and a user.
  subscriptionsPerRequest: 20_000,
  // In the value of one setting.
  settingMembers: 1_000,
  settingSubgroups: 100,
  defaultChannelGroupNameLength: 60,
  defaultChannelGroupDescriptionLength: 1_024,
  groupNameLength: 100,
  groupDescriptionLength: 10_000,
  noticesPerChange: 100,
  leaversToldApart: 200,
  fewSubscribers: 15,

  // Presence: how long a user's known presence is good enough, how often a node writes what it has received, the
  // largest organization in which each arrival is announced to everyone, how far back clients look, and how many
  // serialized forms of an announcement are kept.
  presenceRestSeconds: 55,
  presenceWriteSeconds: 2,
  presenceEventPeople: 100,
  presenceHistoryDays: 14,
  presenceForms: 64,

  // Requests. Batched requests wait this long for others of their kind, or until this many wait.
  gatherMs: 100,
  gatheredRequests: 32,
  requestBody: 25 * 1024 * 1024,
  formBody: 4 * 1024 * 1024,
  anonymousBody: 1024 * 1024,
  // Small bodies do not count towards the memory budget of request bodies.
  smallBody: 8 * 1024,
  bodiesAtOnce: 256 * 1024 * 1024,
  bodiesAtOncePerPlace: 64 * 1024 * 1024,
  requestHeaders: 64 * 1024,
  /** Characters of the address to return to after login. Encoded, it must fit into a header that clients read. */
  destination: 700,
  headersPerRequest: 1_000,
  requestSeconds: 60,
  uploadSeconds: 900,
  parametersPerRequest: 1_000,
  valuesPerParameter: 100_000,
  // Lists and texts in parameters that declare no limit of their own.
  listLength: 20_000,
  textLength: 1_000_000,
  nameLength: 1_000,
  compressFrom: 4_096,
  // How long a client may leave its response unread, and how many bytes may be unread on a node.
  unreadSeconds: 60,
  unreadBytes: 256 * 1024 * 1024,
  messagesPerFetch: 5_000,
  requestsPerMinute: 200,
  anonymousRequestsPerMinute: 100,
  failedLogins: 5, // from one network
  failedLoginsEverywhere: 100,
  failedLoginSeconds: 1_800,
  apiKeysPerUser: 100,
  sessionsPerUser: 50,
  sessionDays: 60,
  sessionIdleDays: 14,
  lastUsedSeconds: 2,
  loginsKept: 50,
  signOnMinutes: 10,
  signOnRequestSeconds: 10,
  // What OpenID Connect allows.
  signOnSubjectLength: 255,
  idempotencyKeyLength: 200,
  idempotencyKeyDays: 7,
  idempotentAnswerLength: 256 * 1024,
  widgetLength: 50_000,
  submessageLength: 10_000,
  submessageTypeLength: 60,
  submessagesPerMessage: 5_000,
  submessagesLength: 500_000,
  typingSubscribers: 100,
  // An index holds the ids of all participants, and its rows end at 2,704 bytes.
  directMessagePeople: 500,
  draftsPerRequest: 1_000,
  draftsPerUser: 10_000,
  savedSnippetTitleLength: 60,
  savedSnippetsPerUser: 1_000,
  navigationViewsPerUser: 200,
  navigationFragmentLength: 500,
  navigationNameLength: 100,
  scheduledMessagesPerUser: 1_000,
  remindersPerUser: 1_000,

  // Storage of bots: characters of keys and values together, how many keys, how many are first written in one step, and
  // the length of a key.
  botStorageLength: 1_000_000,
  botStorageKeys: 10_000,
  botStorageStep: 500,
  botStorageKeyLength: 500,
  notesPerPerson: 50,
  noteLength: 1_000,
  linkifiers: 200,
  linkifierPatternLength: 1_000,
  /** Steps of the program that a linkifier's pattern compiles to. */
  linkifierProgram: 500,
  urlTemplateLength: 2_000,
  playgrounds: 200,
  playgroundNameLength: 1_000,
  playgroundLanguageLength: 40,
  allowedDomains: 1_000,
  domainLength: 253,

  // Editing: the changes to one message, and the time left to finish an edit; the messages that one step moves or
  // deletes, and the readers whose read state moves with them; the seconds for which deleting a topic goes on before
  // the response; the time within which an opposite notice is withdrawn; the comparisons that compute one edit, and all
  // edits of a message; the total characters of earlier versions of a message.
  editsPerMessage: 1_000,
  editGraceSeconds: 20,
  editBatch: 1_000,
  editBatchReads: 2_500_000,
  editBatchSmallest: 100,
  topicDeletionSeconds: 10,
  resolveUndoSeconds: 60,
  diffSteps: 250_000,
  historyDiffSteps: 2_000_000,
  editHistoryLength: 10_000_000,

  // Webhooks: attempts and seconds per request, concurrent requests of one bot, and sizes of responses and requests.
  outgoingTries: 5,
  outgoingSeconds: 10,
  outgoingAtOncePerBot: 4,
  outgoingAnswer: 1024 * 1024,
  webhookUrlLength: 2_000,
  botConfigLength: 10_000,
  webhookCommits: 20,
  webhookAlerts: 20,
  webhookChanges: 20,
  webhookTitleLength: 200,

  // Calls on Zoom: how long the lease for renewing a user's tokens lasts, how often and for how long a waiting request
  // checks it, how long before their expiry tokens are renewed, and how many logins at Zoom one user may have in
  // progress.
  zoomTurnSeconds: 25,
  zoomTurnPauseMs: 200,
  zoomTurnLooks: 150,
  zoomSpareSeconds: 60,
  zoomDepartures: 5,

  // Invitations: how long they are valid by default, how many open links an organization has, how many it mails in a
  // day, how often one is mailed again in a day, and how long it is kept after it is over. Joining: how long an address
  // can be confirmed, how many such mails go to one address and are requested from one network in an hour, and for how
  // many users an organization waits at the same time.
  invitationMinutes: 14_400,
  inviteLinks: 1_000,
  invitationsPerDay: 500,
  resendsPerDay: 5,
  invitationsKeptDays: 30,
  signUpSeconds: 86_400,
  signUpMailsPerHour: 3,
  signUpMailsPerHourAndPlace: 50,
  signUpsWaiting: 1_000,

  // Reports to moderators.
  reportDescriptionLength: 1_000,

  // An administrator's comment to a user whom they deactivate.
  deactivationCommentLength: 2_000,

  // Retention: the messages, and topics, that one step examines and deletes, how long this runs before other work
  // continues, and how often it starts.
  retentionBatch: 500,
  retentionTopics: 50,
  retentionSeconds: 10,
  retentionPauseSeconds: 3_600,

  // Channels: the days of messages that count for traffic, the least age for that, how many days a channel counts as
  // active after its last message, how often that is computed, and how many channels one write announces.
  trafficDays: 28,
  trafficYoungDays: 7,
  activeDays: 180,
  activityPauseSeconds: 86_400,
  activityBatch: 50,

  // Scheduled work: how many jobs a node runs concurrently, and for how many organizations it remembers when it last
  // ran one.
  jobsRemembered: 1_000,
  jobsAtOnce: 20,
  slowJobsAtOnce: 60,
  jobLeaseSeconds: 20,
  jobAttempts: 8,
  jobPauseSeconds: 600,

  // Mail: how many a node sends concurrently; the time to reach the server, and to hand a mail over once the server is
  // ready, after which its delivery is uncertain; the pauses between attempts, and how long it is tried; how long a
  // mail is kept in the list.
  mailsAtOnce: 10,
  mailConnectSeconds: 15,
  mailSeconds: 60,
  mailUncertainSeconds: 90,
  mailFirstPauseSeconds: 30,
  mailLongestPauseSeconds: 14_400,
  mailTryDays: 3,
  mailKeepDays: 30,
  mailsListed: 500,
  // Missed messages: how often they are looked for, how many in one step, and how old they may be; after how long
  // without activity a user counts as away; what one mail holds, in messages and in characters of each, and how many
  // messages are examined for it.
  missedPollSeconds: 1,
  missedBatch: 1_000,
  missedSeconds: 3_600,
  missedAwaySeconds: 140,
  missedMessagesPerMail: 50,
  missedMessageLength: 2_000,
  missedMessagesLookedAt: 500,
  // Links in mails: links of a kind per user, and how long they work; requests from one address for mail to one user,
  // per day; how long such a request takes whether or not it leads to a mail.
  linksPerHour: 2,
  linksPerDay: 5,
  resetLinkSeconds: 3_600,
  emailLinkSeconds: 86_400,
  unsubscribeLinkSeconds: 90 * 86_400,
  mailRequestsPerDay: 20,
  mailRequestMs: 300,
  /** Users with younger accounts receive no mail about logins. */
  newAccountSeconds: 60,

  // Notifications on devices: how often the log is searched for them; how long one is worth delivering, and is
  // withdrawn after its message is read; the time that a relay or a push service gets, and the pause before it is tried
  // again; how many go to a relay concurrently, and how long batches follow each other before the job is put back; how
  // long a registration is tried; how much of a message is shown.
  pushPollSeconds: 1,
  pushKeptSeconds: 86_400,
  pushShownSeconds: 30 * 86_400,
  pushSeconds: 10,
  pushPauseSeconds: 15,
  pushLongestPauseSeconds: 3_600,
  pushBatch: 100,
  pushTurnSeconds: 5,
  pushesToBrowserAtOnce: 5,
  pushBrowsersAtOnce: 20,
  pushRegistrationSeconds: 86_400,
  pushDevicesPerUser: 50,
  pushTokenLength: 4_096,
  pushCiphertextLength: 10_000,
  pushRelayIdLength: 200,
  pushEndpointLength: 2_000,
  pushTextLength: 240,
  pushRemovedAtOnce: 200,

  // Exports: how many a node runs concurrently, and how many an organization, or a user for their own data, may request
  // in a week; how long those of a user are kept; the rows read in one query, and the bytes of rows imported in one
  // statement.
  exportsAtOnce: 1,
  exportsPerWeek: 5,
  ownExportDays: 7,
  exportPortion: 200,
  importPortion: 2 * 1024 * 1024,
} as const
