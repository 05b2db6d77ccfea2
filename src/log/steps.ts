import type { Change } from './change.ts'
import { logLimits } from './limits.ts'

/** A step of a large change. */
type Step = { isLast: boolean }

/** How a step is committed. */
type CommitStep = <T extends object>(work: (change: Change) => Promise<T>, step: Step) => Promise<T>

/**
 * Changes many items in steps, and returns the result of each step. Each step is a commit of its own: its rows and its
 * events become durable together, and other writers continue after it. A step takes as many items as are changed within
 * logLimits.stepMs, judging by the steps before. The first takes `fewest`, so that a change of a few items is one step, and
 * no step takes fewer, as each has a fixed cost. Where that cost grows from step to step, `fewest` is a function.
 *
 * If a step fails, or the server ends, the steps before it remain: each must leave a valid state, and the same request,
 * sent again, must do the rest. Between steps anything may change, so each step checks its assumptions anew.
 */
export async function inSteps<Item, Result extends object>(
  commit: CommitStep,
  items: readonly Item[],
  fewest: number | (() => number),
  work: (change: Change, part: Item[], step: Step) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const least = typeof fewest === 'number' ? () => fewest : fewest
  let size = least()
  for (let from = 0; from < items.length; ) {
    const part = items.slice(from, from + size)
    const step = { isLast: from + size >= items.length }
    let begun = 0
    const result = await commit((change) => {
      begun = performance.now()
      return work(change, part, step)
    }, step)
    results.push(result)
    from += part.length
    size = Math.max(least(), nextSize(part.length, performance.now() - begun))
  }
  return results
}

/** Returns the size of the next step; at most twice the size of this one, as a step that took no time says little. */
function nextSize(size: number, ms: number): number {
  return Math.min(2 * size, Math.floor((size * logLimits.stepMs) / Math.max(ms, 1)))
}
