/** The exit codes of commands; docs/guide/commands.md explains them. */
export const exitCodes = {
  /** It has done what it was asked to. */
  done: 0,
  /** It failed, and nothing was changed unless it says so. */
  failed: 1,
  /** The command line was not understood. */
  misused: 2,
  /** It has done a part, and says which part it could not do. */
  incomplete: 3,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
