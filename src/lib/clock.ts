/** The clock of this machine, in seconds since 1970. What a node does reads the clock of its site (Site.clock). */
export function systemClock(): number {
  return Math.floor(systemMilliseconds() / 1000)
}

/** The same in milliseconds. */
export function systemMilliseconds(): number {
  return Date.now()
}
