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

  // What of a kind comes with POST /register.
  unreadMessages: 50_000,
  recentDirectMessages: 1_000,
  draftsInRegister: 1_000,

  // People and the organization.
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

  // Presence: how long what is known of somebody's is good enough, how often a node writes what it has heard, how many
  // people an organization may have for each to be told when somebody comes, how far back clients look, and in how many
  // forms what is told together is kept.
  presenceRestSeconds: 55,
  presenceWriteSeconds: 2,
  presenceEventPeople: 100,
  presenceHistoryDays: 14,
  presenceForms: 64,

  // Requests. Gathered ones wait so long for others of their kind, and go on when there are so many.
  gatherMs: 100,
  gatheredRequests: 32,
  requestBody: 25 * 1024 * 1024,
  formBody: 4 * 1024 * 1024,
  anonymousBody: 1024 * 1024,
  // Of bodies under way, small ones do not count.
  smallBody: 8 * 1024,
  bodiesAtOnce: 256 * 1024 * 1024,
  bodiesAtOncePerPlace: 64 * 1024 * 1024,
  requestHeaders: 64 * 1024,
  /** Characters of where somebody goes after signing in. Coded, it must fit into a header that clients read. */
  destination: 700,
  headersPerRequest: 1_000,
  requestSeconds: 60,
  uploadSeconds: 900,
  parametersPerRequest: 1_000,
  valuesPerParameter: 100_000,
  // Of lists and texts in parameters, where the parameter has no limit of its own.
  listLength: 20_000,
  textLength: 1_000_000,
  nameLength: 1_000,
  compressFrom: 4_096,
  // For so long a client may read nothing of its answer; so much may be unread on a node.
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
  // An index holds the ids of all who take part, and its rows end at 2,704 bytes.
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

  // What bots keep: characters of keys and values together, each.
  botStorageLength: 1_000_000,
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

  // Editing: the changes that a message may go through, and the time that is left to finish one; the messages that one
  // step moves or deletes, and how many times readers whose read state moves along; the seconds that the deletion of a
  // topic goes on before it answers; the time within which a notice that says the opposite is taken back; the
  // comparisons made to find out what an edit did, and what all edits of a message did; the characters of all that a
  // message was before.
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

  // Webhooks: the tries and the time that one gets, requests of one bot at once, what comes back, and what goes in.
  outgoingTries: 5,
  outgoingSeconds: 10,
  outgoingAtOncePerBot: 4,
  outgoingAnswer: 1024 * 1024,
  webhookUrlLength: 2_000,
  botConfigLength: 10_000,
  webhookCommits: 20,
  webhookTitleLength: 200,

  // Calls on Zoom: how long the turn to renew somebody's tokens lasts, how often whoever waits for it looks again and for
  // how long, how long before their end tokens are renewed, and how many browsers of somebody may be away at Zoom.
  zoomTurnSeconds: 25,
  zoomTurnPauseMs: 200,
  zoomTurnLooks: 150,
  zoomSpareSeconds: 60,
  zoomDepartures: 5,

  // Invitations: how long they hold if nobody says, how many an organization has open as links, makes by mail in a
  // day, and how often one is mailed again in a day; for how long they are kept when they are over. Joining: for how
  // long an address can be confirmed, how many mails for that go to one address, and are asked for from one place on the
  // network, in an hour, and how many people an organization waits for at once.
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

  // What an administrator says to somebody whom they deactivate.
  deactivationCommentLength: 2_000,

  // What is kept for a time only: the messages, and topics, that one step looks at and deletes, for how long this goes on
  // before others have their turn, and how often it is looked for.
  retentionBatch: 500,
  retentionTopics: 50,
  retentionSeconds: 10,
  retentionPauseSeconds: 3_600,

  // Channels: the days of which messages are counted for their traffic, how old one must be for that, for how many days
  // one counts as active after its last message; how often that is found out, and of how many channels one write tells.
  trafficDays: 28,
  trafficYoungDays: 7,
  activeDays: 180,
  activityPauseSeconds: 86_400,
  activityBatch: 50,

  // Work that is done at some time: how much of it at once, on one node, and of how many organizations a node remembers when
  // it last worked for them.
  jobsRemembered: 1_000,
  jobsAtOnce: 20,
  slowJobsAtOnce: 60,
  jobLeaseSeconds: 20,
  jobAttempts: 8,
  jobPauseSeconds: 600,

  // Mail: how many go out at once, on one node; to reach the server; to hand one over once the server is ready for it, and after which it counts as uncertain
  // if nobody knows; the pauses between tries, and how long it is tried; how long a mail is kept in the list.
  mailsAtOnce: 10,
  mailConnectSeconds: 15,
  mailSeconds: 60,
  mailUncertainSeconds: 90,
  mailFirstPauseSeconds: 30,
  mailLongestPauseSeconds: 14_400,
  mailTryDays: 3,
  mailKeepDays: 30,
  mailsListed: 500,
  // Messages that people miss: how often they are looked for, how many at a time and how old ones; for how long somebody
  // has not been at work who is away; what one mail holds, in messages and in characters of each,
  // and how many messages are looked at for it.
  missedPollSeconds: 1,
  missedBatch: 1_000,
  missedSeconds: 3_600,
  missedAwaySeconds: 140,
  missedMessagesPerMail: 50,
  missedMessageLength: 2_000,
  missedMessagesLookedAt: 500,
  // What mails let their readers do: links of a kind for one person, and how long they work; requests from one address
  // for mail to somebody, per day; how long such a request takes whether or not it leads to a mail.
  linksPerHour: 2,
  linksPerDay: 5,
  resetLinkSeconds: 3_600,
  emailLinkSeconds: 86_400,
  unsubscribeLinkSeconds: 90 * 86_400,
  mailRequestsPerDay: 20,
  mailRequestMs: 300,
  /** Whose account is younger is not told of logins. */
  newAccountSeconds: 60,

  // Notifications on devices: how often the log is looked through for them; for how long one is worth bringing, and is
  // taken away again once its message is read; the time that a relay or a push service gets, and the pause after which
  // either is tried again; how many go to a relay at once, and for how long one lot follows another before the job is
  // put back; how long a registration is tried; what is shown of a message.
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

  // Exports: how many a node makes at once, and an organization, or a person of their own data, may ask for in a week; for how long those of a
  // person are kept; the rows that are read at once, and the bytes of rows that are imported at once.
  exportsAtOnce: 1,
  exportsPerWeek: 5,
  ownExportDays: 7,
  exportPortion: 200,
  importPortion: 2 * 1024 * 1024,
} as const
