/** Returns the time of this machine, in seconds since 1970. The work of a node reads the clock of its site (Site.clock) instead. */
export function systemClock(): number {
  return Math.floor(systemMilliseconds() / 1000)
}

/** Returns the system's time in milliseconds since 1970. */
export function systemMilliseconds(): number {
  return Date.now()
}

/**
 * Returns by how many seconds, at least, another clock is ahead of this machine's; negative if it is behind. `there`: its time in seconds, read
 * at some moment since `before`, which is in milliseconds. So a slow response alone makes no difference.
 */
export function secondsAhead(there: number, before: number): number {
  const [earliest, latest] = [before / 1000, systemMilliseconds() / 1000]
  return there - Math.min(Math.max(there, earliest), latest)
}
