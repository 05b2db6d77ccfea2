/**
 * Runs work that must not print. Some libraries report odd input on the console, and KaTeX even has commands for it
 * (`\message`). The texts are those of users, who must not be able to fill the log. `work` is synchronous, so nothing
 * else runs meanwhile.
 */
export function silently<T>(work: () => T): T {
  const { console } = globalThis
  globalThis.console = silent
  try {
    return work()
  } finally {
    globalThis.console = console
  }
}

const silent = new Proxy({} as Console, { get: () => () => undefined })
