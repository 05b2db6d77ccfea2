// Test files share the modules that they import, so a hook at the top of a helper would belong to the first file alone.

type Cleanup = () => unknown

const cleanups: Cleanup[] = []

/** Runs this after the last test of the current file. Helpers use it. Cleanups run in reverse order. */
export function atEndOfFile(cleanup: Cleanup) {
  cleanups.push(cleanup)
}

/** Runs all of them, and throws afterwards if some failed. */
export async function endFile() {
  const failures: unknown[] = []
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
    try {
      await cleanup()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything could be cleaned up.')
}
