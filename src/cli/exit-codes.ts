/** The exit codes of commands; docs/guide/commands.md explains them. */
export const exitCodes = {
  /** The command succeeded. */
  done: 0,
  /** The command failed. It changed nothing, unless it says otherwise. */
  failed: 1,
  /** The command line was not understood. */
  misused: 2,
  /** The command did a part of its work, and says which part failed. */
  incomplete: 3,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
