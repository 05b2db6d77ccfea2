/** The limits of requests to other servers. */
export const adapterLimits = {
  /** Lookups of host names that may wait for their turn, if users have chosen the names. */
  lookupsWaiting: 200,
  /** Seconds that such a lookup waits. */
  lookupWaitSeconds: 10,
  /** Bytes of room on a disk below which no file can be stored. */
  fullDisk: 1024 * 1024,
  /** Seconds to connect to NATS. */
  natsSeconds: 3,
  /** Bytes of a message from NATS that are waited for. */
  natsUnreadBytes: 1024 * 1024,
  /** Seconds for a request to a sign-on service or a directory. */
  signOnRequestSeconds: 10,
  /** Characters of a user's subject at a sign-on service, which OpenID Connect sets. */
  signOnSubjectLength: 255,
  /** Seconds to reach the mail server. */
  mailConnectSeconds: 15,
  /** Seconds to hand over a mail once the mail server is ready. */
  mailSeconds: 60,
  /** MiB of a mail that comes in. */
  incomingMailMib: 25,
  /**
   * Pieces of a mail that comes in, beside one for each KiB. The library makes one of each line that begins with a dot, and each
   * costs as much as a KiB of other text.
   */
  incomingMailPieces: 50_000,
  /** MiB of all mails that come in at the same time. */
  incomingMailsMib: 128,
  /** Connections on which mail comes in. */
  incomingMailConnections: 60,
  /** Connections from one network on which mail comes in. A mail server in front opens some twenty. */
  incomingMailConnectionsEach: 40,
  /** Recipients of a mail that comes in. */
  incomingMailRecipients: 20,
  /** Seconds in which such a connection says nothing. */
  incomingMailIdleSeconds: 60,
  /** Seconds for which such a connection lasts. */
  incomingMailSeconds: 900,
  /** Seconds that a stop leaves mails under way to end. */
  incomingMailCloseSeconds: 8,
  /** Seconds for a request to the push relay or a push service. */
  pushSeconds: 10,
  /** Characters of the push relay's id of a device. */
  pushRelayIdLength: 200,
  /** Milliseconds that Zoom or BigBlueButton may take for a response. */
  videoCallMs: 10_000,
  /** Bytes of such a response. */
  videoCallBytes: 64 * 1024,
} as const
