/** The limits of imports from Zulip. */
export const zulipLimits = {
  /** MiB of realm.json and attachment.json, which are read whole. */
  tableFileMib: 300,
  /** MiB of a file of messages, which holds a thousand of them. */
  messageFileMib: 256,
  /** Files in an export. */
  exportFiles: 5_000_000,
  /** MiB of a picture of a person, an emoji or the organization. */
  pictureMib: 50,
  /** Rows that are written by one statement. */
  rowsPerStatement: 1_000,
  /** Earlier versions of a message that are kept. */
  editsOfMessage: 1_000,
} as const
