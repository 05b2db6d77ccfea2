/** The limits of the command line. */
export const cliLimits = {
  /** Seconds to wait for a database that says that it is starting. */
  databaseStartSeconds: 120,
  /** Milliseconds between looks whether a command has freed the data directory for which a server waits. */
  commandWaitMilliseconds: 250,
  /** Seconds for which a backup waits for removals of files. */
  backupLockSeconds: 5,
  /** Seconds for which a command that reads backups waits for the removal of older ones. */
  backupRemovalSeconds: 60,
  /** Segments of PostgreSQL's log, of 16 MiB each, that backups copy on top of a whole copy, before the next whole copy is due. */
  segmentsPerCopy: 1_000,
  /** Seconds for which the link works by which the first owner chooses a password. */
  ownerLinkSeconds: 3_600,
  /** Mails that a command lists. */
  mailsListed: 500,
  /** People in a file that `user import` takes. */
  peopleImported: 50_000,
  /** Bytes of such a file. */
  peopleFileBytes: 32 * 1024 * 1024,
  /** Entries of the audit log that `audit` shows unless it is told how many. */
  auditShown: 100,
  /** Entries that it can be told to show at most. */
  auditShownMost: 10_000,
  /** Characters of a change in such a list. */
  auditChangeLength: 200,
  /** Characters of lines of the log that wait while stdout takes none; later ones are left out. */
  logWaitingLength: 1024 * 1024,
  /** Seconds that workers have to stop in order. */
  workerStopSeconds: 40,
  /** Seconds after which a worker that ends is replaced immediately. */
  workerLifeSeconds: 10,
  /** Seconds of the longest pause before a worker is replaced. */
  workerPauseSeconds: 30,
  /** Seconds between the questions to a worker whether it still answers. */
  workerQuestionSeconds: 5,
  /** Times in a row that a question to a worker may still be without an answer when the next is due; then the worker is ended. */
  workerSilences: 6,
  /** Times in a row that a question to a worker that still loads its code may be without an answer. */
  workerLoadingSilences: 24,
  /** Bytes that wait to be sent to a worker. */
  workerUnsentBytes: 64 * 1024 * 1024,
  /** Bytes of output of pg_dump or pg_restore that are kept to say what went wrong. */
  dumpOutputBytes: 64 * 1024 * 1024,
} as const
