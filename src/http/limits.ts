/** The limits of requests. */
export const httpLimits = {
  /** Checks a minute whether another node has news, for each caller whose requests are refused; at each worker. */
  secondLooks: 60,
  /** Times that a request starts again because the account of its caller changes meanwhile. */
  callerChanges: 5,
  /** Milliseconds that a batched request waits for others of its kind. */
  batchMs: 100,
  /** Requests of a batch that go on without waiting longer. */
  requestsPerBatch: 32,
  /** Milliseconds of one turn of the event loop in which requests are carried out that go in steps. */
  stepMs: 100,
  /** Lines a minute about logins, and as many about refused ones. */
  loginLines: 60,
  /** Connections that wait until the server accepts them. The system may allow fewer (`net.core.somaxconn`). */
  waitingConnections: 4_096,
  /** Headers with a login whose callers a node remembers. */
  rememberedLogins: 20_000,
  /** Bytes of a request's body. */
  requestBody: 25 * 1024 * 1024,
  /** Bytes of a form. */
  formBody: 4 * 1024 * 1024,
  /** Bytes of a body from a caller who is not logged in. */
  anonymousBody: 1024 * 1024,
  /** Bytes of a body that does not count towards the memory budget of bodies. */
  smallBody: 8 * 1024,
  /** Bytes of the bodies that a node holds in memory. */
  bodyBytes: 256 * 1024 * 1024,
  /** Bytes of the bodies from one network that a node holds in memory. */
  bodyBytesPerNetwork: 64 * 1024 * 1024,
  /** Bytes of a request's headers. */
  requestHeaders: 64 * 1024,
  /** Headers of a request. */
  headersPerRequest: 1_000,
  /** Entries of the audit log in an hour that say that API keys were refused, for each organization. */
  refusedKeyEntries: 200,
  /** Characters of a User-Agent that the audit log keeps. */
  auditedClientLength: 200,
  /** Seconds in which a body must arrive. */
  requestSeconds: 60,
  /** Seconds in which a request with a file must arrive. */
  uploadSeconds: 900,
  /** Parameters of a request. */
  parametersPerRequest: 1_000,
  /** Values in the JSON of a parameter. */
  valuesPerParameter: 100_000,
  /** Elements of a list or a dictionary in a parameter that declares no limit of its own. */
  listLength: 20_000,
  /** Characters of a text in a parameter that declares no limit of its own. */
  textLength: 1_000_000,
  /** Characters of each text in a list of texts that declares no limit of its own. */
  nameLength: 1_000,
  /** Bytes from which a response is compressed. */
  compressFrom: 4_096,
  /** Seconds for which a client may leave its response unread. */
  unreadSeconds: 60,
  /** Bytes of responses that may be unread on a node. */
  unreadBytes: 256 * 1024 * 1024,
  /**
   * Requests that a node works on concurrently. Those that wait for events do not count, nor those whose body is still arriving or whose
   * response is still being read.
   */
  concurrentRequests: 600,
  /** Requests of one organization that a node works on concurrently. */
  concurrentRequestsPerOrganization: 400,
  /** Requests of one user, or of one network without a login, that a node works on concurrently: as many as a minute's. */
  concurrentRequestsPerUser: 200,
  /** Requests, among these of a node and of each organization, that are reserved for sends, events and registrations. */
  essentialRequests: 100,
  /** Registrations that a node works on concurrently. */
  concurrentLarge: 8,
  /** Registrations that wait until another one has ended. */
  largeWaiting: 250,
  /** Registrations of one user, or of one network without a login, that wait until another one has ended. */
  largeWaitingEach: 40,
  /** Percent of a node's reading connections that heavy requests may use concurrently. */
  heavyPercent: 70,
  /** Requests that are heavy and wait until another such one has ended. */
  heavyWaiting: 200,
  /** Requests of one user that are heavy and wait until another such one has ended. */
  heavyWaitingEach: 50,
  /** Seconds that a heavy request, or a registration, waits for its turn. */
  heavyWaitSeconds: 8,
  /** Connections of clients that a node serves. Requests on more are refused. */
  clientConnections: 50_000,
  /** Connections beyond these that get a response which refuses them. Any more are closed immediately. */
  connectionsRefused: 1_000,
  /** Files that a process keeps open for other uses than connections of clients: its database, uploads and other services. */
  filesBesideConnections: 120,
  /** Connections of clients for which a server should have room; with less, it warns at its start. */
  connectionsExpected: 3_000,
  /** Requests on one connection that may wait for the responses to earlier ones. */
  pipelinedRequests: 100,
  /** Requests of a user in a minute. Pictures and uploads do not count, nor does the page of the web client. */
  requestsPerMinute: 200,
  /** Requests in a minute from a network without a login. Pictures, uploads and the page of the web client do not count here either. */
  anonymousRequestsPerMinute: 100,
  /** Days for which a session lasts at most. */
  sessionDays: 60,
  /** Days for which an unused session lasts. */
  sessionIdleDays: 14,
  /** Seconds after which a node writes when keys and sessions were last used. */
  lastUsedSeconds: 2,
  /** Characters of an idempotency key. */
  idempotencyKeyLength: 200,
  /** Characters of a response that is stored under an idempotency key. */
  idempotentAnswerLength: 256 * 1024,
  /** Seconds that clients wait for the response to a request for events. */
  clientLongPollSeconds: 90,
  /** Files of one request. Further ones are not even read. */
  filesPerRequest: 4,
  /** Bytes of a multipart body besides its files: other fields, and the headers of the parts. */
  multipartOverheadBytes: 1024 * 1024,
} as const
