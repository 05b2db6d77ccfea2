/** The limits of imports from Slack. */
export const slackLimits = {
  /** MiB of a file of JSON in an export: a day of a channel, or a list. */
  fileMib: 256,
  /** Names under which a bot has written that become accounts. Messages under further names get the bot's own account. */
  namesOfBot: 100,
  /** Messages that are written by one statement. */
  messagesPerStatement: 500,
  /** MiB of an attached file that is copied; messages link to larger ones, which stay at Slack. */
  attachedFileMib: 100,
  /** Seconds for which an attached file may take to arrive. */
  attachedFileSeconds: 300,
  /** Times that Slack is asked for a file while it says that it was asked for too many. */
  fileTries: 5,
  /** Seconds of the longest pause before it is asked again. */
  filePauseSeconds: 60,
  /** Attached files that are fetched at the same time. */
  concurrentFiles: 4,
} as const
