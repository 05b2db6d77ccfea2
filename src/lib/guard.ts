/**
 * Makes a callback for an event, a timer or a library that calls back. What it throws, and what a promise that it returns
 * is rejected with, goes to `fail`: nobody else would catch it, and Node then ends the process. Every callback of ours is
 * made here (test/tidy.test.ts), and `fail` ends what the callback works for: a request, a connection, a wait.
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

/** For an event that needs no answer, above all an `error` that also arrives elsewhere: unheard, it would end the process. */
export function ignore() {}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
