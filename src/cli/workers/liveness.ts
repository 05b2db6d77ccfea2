import { guard, ignore } from '../../lib/guard.ts'
import { cliLimits } from '../limits.ts'

type Watched = {
  /** Asks the process for a sign of life. */
  ask(): Promise<unknown>
  /** Whether it still loads its code, and cannot answer. */
  isLoading(): boolean
  /** Ends the process. */
  end(): void
}

/**
 * Ends a process that no longer answers: it would keep its clients waiting, and the organizations whose writes go to it.
 * Returns the function that ends the watch.
 */
export function watchLiveness({ ask, isLoading, end }: Watched): () => void {
  const { workerQuestionSeconds, workerSilences, workerLoadingSilences } = cliLimits
  let isAsking = false
  let silences = 0
  const look = guard(ignore, () => {
    if (!isAsking) {
      isAsking = true
      silences = 0
      void ask()
        .catch(ignore)
        .finally(() => {
          isAsking = false
        })
    } else if (++silences >= (isLoading() ? workerLoadingSilences : workerSilences)) {
      end()
    }
  })
  const timer = setInterval(look, workerQuestionSeconds * 1000).unref()
  return () => clearInterval(timer)
}
