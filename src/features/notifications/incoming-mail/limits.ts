/** The limits of incoming mail: what is read of it, and how much is posted. */
export const incomingMailLimits = {
  /** Mails a minute that are posted in one channel, or as one user's replies. */
  mailsPerMinute: 60,
  /** Mails a minute that are posted in one organization. */
  mailsOfRealmPerMinute: 600,
  /** Mails that a node reads concurrently, each in a process of its own. */
  concurrentReads: 2,
  /** Mails that wait to be read. */
  readWaiting: 50,
  /** Mails of one organization that wait to be read. */
  readWaitingEach: 25,
  /** Seconds that a mail waits to be read. */
  readWaitSeconds: 60,
  /** Seconds to read a mail. */
  readSeconds: 30,
  /** MiB of memory for the objects of the process that reads a mail. */
  readMib: 128,
  /** Parts of a mail that may be inside each other. */
  partDepth: 20,
  /** Bytes of all headers of a mail. */
  headerBytes: 256 * 1024,
  /** Headers at the beginning of a mail. */
  headers: 1_000,
  /** Characters of a mail's text that are looked at. */
  textLength: 40_000,
  /** Elements of a mail's HTML that may be inside each other. */
  htmlDepth: 200,
  /** Files that are taken from a mail. */
  files: 20,
  /** Characters of a name, of a person or a file. */
  nameLength: 200,
  /** Days after a message in which a reply to it is taken. */
  replyDays: 90,
  /** Characters of HTML that are read together: reading can stop only between pieces. */
  htmlPieceLength: 4_096,
} as const
