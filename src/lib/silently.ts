/**
 * Runs what must not print. Some libraries tell the console of what they find odd in a text, and KaTeX even has commands
 * for it (`\message`); the texts are those of users, who are not to fill it. `work` answers in one step, so nothing
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
