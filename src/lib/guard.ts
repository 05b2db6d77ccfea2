/**
 * Makes a callback for an event, a timer or a library. `fail` receives what the callback throws, and what the promise
 * it returns is rejected with. Nothing else would catch these, and Node would end the process. All our callbacks are
 * made here (test/tidy.test.ts), and `fail` ends the work that the callback serves: a request, a connection, a wait.
 */
export function guard<Args extends unknown[]>(
  fail: (error: Error) => void,
  handle: (...args: Args) => unknown,
): (...args: Args) => void {
  return (...args) => {
    try {
      const result = handle(...args)
      if (result instanceof Promise) result.catch((error) => fail(asError(error)))
    } catch (error) {
      fail(asError(error))
    }
  }
}

/**
 * A handler for an event that needs no reaction, above all an `error` that also arrives elsewhere: without a handler,
 * it would end the process.
 */
export function ignore() {}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
