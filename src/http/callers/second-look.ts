import { ApiError, notReady } from '../../lib/api-error.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import type { ReadUpTo, RealmLog } from '../../log/realm-log.ts'
import { httpLimits } from '../limits.ts'
import { CallerChanged } from './admit.ts'

/**
 * Repeats a refused request that another node may have made valid by something that it has just created. Before a node
 * refuses anything, it reads what other nodes have written, and does the work again if there was anything new. The
 * number of looks per minute is limited for each caller, as each costs a query.
 */
export class SecondLooks {
  private readonly buckets: TokenBuckets

  constructor(now: () => number = () => performance.now()) {
    this.buckets = new TokenBuckets(httpLimits.secondLooks, 60, now)
  }

  /** `who`: the caller whose looks are counted. `mayRepeat`: whether the work has written nothing. */
  run<T>(log: RealmLog, who: string, work: () => T | Promise<T>, mayRepeat = () => true): T | Promise<T> {
    const since = log.readUpTo
    const again = async (error: unknown) => {
      const isNews = isRefusal(error) && mayRepeat() && (await this.hasNews(log, who, since))
      if (!isNews && !(error instanceof CallerChanged)) throw error
      return startAgain(work)
    }
    try {
      const done = work()
      return done instanceof Promise ? done.catch(again) : done
    } catch (error) {
      return again(error)
    }
  }

  /**
   * Whether this node has read entries of other nodes since this moment. It looks even if it has, since the caller may
   * rely on something written later.
   */
  async hasNews(log: RealmLog, who: string, since: ReadUpTo): Promise<boolean> {
    if (this.buckets.take(who).allowed) await this.look(log, who)
    return log.hasNewsSince(since)
  }

  /** While the database is unavailable, clients retry: that must not use up their looks. */
  private async look(log: RealmLog, who: string) {
    try {
      await log.catchUpIfBehind()
    } catch (error) {
      this.buckets.giveBack(who)
      throw error
    }
  }
}

/** Repeats work until the account of its caller does not change meanwhile. Gives up with a 503 after some attempts. */
async function startAgain<T>(work: () => T | Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof CallerChanged)) throw error
      if (tries === httpLimits.callerChanges)
        throw notReady('Your account keeps changing. Try again in a moment.')
    }
  }
}

/** Whether more data may turn this refusal into a success. */
function isRefusal(error: unknown) {
  return error instanceof ApiError && [400, 401, 403, 404].includes(error.status)
}
