/** The clock of this machine, in seconds since 1970. What a node does reads the clock of its site (Site.clock). */
export function systemClock(): number {
  return Math.floor(systemMilliseconds() / 1000)
}

/** Returns the system's time in milliseconds since 1970. */
export function systemMilliseconds(): number {
  return Date.now()
}

/**
 * Returns how many seconds another clock is ahead of this machine's, at least: `there` is its time, in seconds, at some moment since
 * `before`, in milliseconds. A slow response alone is no difference.
 */
export function secondsAhead(there: number, before: number): number {
  const [earliest, latest] = [before / 1000, systemMilliseconds() / 1000]
  return there - Math.min(Math.max(there, earliest), latest)
}
