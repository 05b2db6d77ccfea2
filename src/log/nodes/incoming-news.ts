import type { RealmLog } from '../realm-log.ts'
import type { LogNews } from './news.ts'
import type { ReceivedNews } from './node-notifier.ts'

/** News that waits for the turn of its log, which takes all of it together: it often comes in several pieces. */
export class IncomingNews {
  private readonly waiting = new Map<RealmLog, ReceivedNews[]>()

  /** Resolves when the log has taken it; or immediately, if it takes it together with what came before. */
  async add(log: RealmLog, news: ReceivedNews) {
    const known = this.waiting.get(log)
    if (known) {
      known.push(news)
      return
    }
    const runs = [news]
    this.waiting.set(log, runs)
    try {
      await log.applyNews(() => this.pass(log))
    } finally {
      // A turn that comes too late fails before it asks for them. The next news then must not wait for it.
      if (this.waiting.get(log) === runs) this.waiting.delete(log)
    }
  }

  private pass(log: RealmLog): LogNews[] {
    const runs = this.waiting.get(log) ?? []
    this.waiting.delete(log)
    const texts = runs.map((news) => news.open()).filter((text) => text !== undefined)
    return texts.map((text) => JSON.parse(text) as LogNews)
  }
}
