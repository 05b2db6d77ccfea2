/**
 * How many cases the tests try that have no natural end, such as those of random texts. A tenth finds most of what a change
 * breaks, and each run tries others; 1 is for releases. `TEST_EFFORT` sets it.
 */
export const effort = Number(process.env.TEST_EFFORT ?? 0.1)

/** Returns how often to try something that is tried `full` times before a release; at least once. */
export function tries(full: number): number {
  return Math.max(1, Math.round(full * effort))
}

/**
 * Returns how many seconds of processor time this process takes for the work, and not the database. On a busy machine, only
 * the time itself grows.
 */
export async function processorSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}
