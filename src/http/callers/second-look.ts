import { ApiError, notReady } from '../../lib/api-error.ts'
import { TokenBuckets } from '../../lib/token-bucket.ts'
import type { ReadUpTo, RealmLog } from '../../log/realm-log.ts'
import { httpLimits } from '../limits.ts'
import { CallerChanged } from './admit.ts'

/**
 * Before a node refuses a request, it reads what other nodes have written, and does the work again if that was news: another node may just
 * have created what the request needs. The number of looks per minute is limited for each caller, as each costs a query.
 */
export class SecondLooks {
  private readonly buckets: TokenBuckets

  constructor(now: () => number = () => performance.now()) {
    this.buckets = new TokenBuckets(httpLimits.secondLooks, 60, now)
  }

  /**
   * Does the work; and again, if it was refused and there is news, or if it throws CallerChanged. `who`: the key under which looks are
   * counted. `mayRepeat`: whether the work can be repeated, as it has written nothing.
   */
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
   * Reads what other nodes have written, and returns whether this node has read entries of theirs since a moment. It reads even if it has
   * such entries already, since the caller may rely on something that was written later.
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

/** Whether the refusal may be due to data that this node has not read yet. */
function isRefusal(error: unknown) {
  return error instanceof ApiError && [400, 401, 403, 404].includes(error.status)
}
