/** The limits of imports from Zulip. */
export const zulipLimits = {
  /** MiB of the rows that an import reads of one file. They are in memory together; tables that it does not read may be larger. */
  fileRowsMib: 1_024,
  /** MiB of one row, as text. */
  rowMib: 64,
  /** Files in an export. */
  exportFiles: 5_000_000,
  /** MiB of a picture of a person, an emoji or the organization. */
  pictureMib: 50,
  /** Seconds after which an import says how far it has come. */
  progressSeconds: 60,
  /** Rows that are written by one statement. */
  rowsPerStatement: 1_000,
  /** Earlier versions of a message that are kept. */
  editsOfMessage: 1_000,
} as const
