/** The clock of this machine, in seconds since 1970. What a node does reads the clock of its site (Site.clock). */
export function systemClock(): number {
  return Math.floor(systemMilliseconds() / 1000)
}

/** Returns the system's time in milliseconds since 1970. */
export function systemMilliseconds(): number {
  return Date.now()
}
