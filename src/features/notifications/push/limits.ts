/** The limits of notifications on devices. */
export const pushLimits = {
  /** Seconds between two searches of the log for notifications. */
  pushPollSeconds: 1,
  /** Seconds for which a notification is worth delivering. */
  pushKeptSeconds: 86_400,
  /** Seconds for which the server remembers a notification, to withdraw it once its message is read. */
  pushShownSeconds: 30 * 86_400,
  /** Seconds of the first pause before a relay or a push service is tried again. */
  pushPauseSeconds: 15,
  /** Seconds of the longest pause. */
  pushLongestPauseSeconds: 3_600,
  /** Notifications in one request to the relay. */
  pushBatch: 100,
  /** Seconds for which batches follow each other before the job is put back. */
  pushTurnSeconds: 5,
  /** Notifications that are sent to one browser concurrently. */
  concurrentPushesPerBrowser: 5,
  /** Browsers that a node notifies concurrently. */
  concurrentPushBrowsers: 20,
  /** Seconds for which the registration of a device is tried. */
  pushRegistrationSeconds: 86_400,
  /** Characters of a device's token. */
  pushTokenLength: 4_096,
  /** Characters of an encrypted registration, and of the relay's key. */
  pushCiphertextLength: 10_000,
  /** Characters of a browser's address at its push service. */
  pushEndpointLength: 2_000,
  /** Notifications that are withdrawn in one message. */
  pushRemovedPerMessage: 200,
  /** Characters of a key of a browser: the longer one has 88 in base64. */
  pushKeyLength: 100,
} as const
