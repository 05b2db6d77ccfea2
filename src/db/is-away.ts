const connectionErrors = /^(08|53|57P0|57014|25P0[34])|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/
const connectionTexts =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/

/** Whether something failed because the database cannot be reached, or does not do its work in time. */
export function databaseIsAway(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  return connectionErrors.test(code ?? '') || connectionTexts.test(message ?? '')
}
