/** The limits of the server's own PostgreSQL. */
export const postgresLimits = {
  /** Bytes of the log of the server's own PostgreSQL. */
  logBytes: 10 * 1024 * 1024,
} as const
