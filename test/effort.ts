/**
 * How many cases the tests try that have no natural end, such as those of random texts. CI uses 1; a tenth of it finds
 * most of what a change breaks. `TEST_EFFORT` sets it.
 */
export const effort = Number(process.env.TEST_EFFORT ?? 0.1)

/** Returns how often to try something that CI tries `full` times; at least once. */
export function tries(full: number): number {
  return Math.max(1, Math.round(full * effort))
}
