import type { LogNews } from './news.ts'
import type { HeardNews } from './node-notifier.ts'
import type { RealmLog } from './realm-log.ts'

/** News of organizations, which may come in several pieces in one moment: each log takes them together. */
export class HeardRuns {
  private readonly waiting = new Map<RealmLog, HeardNews[]>()

  /** Resolves when the log has taken it; or immediately, if it takes it together with what came before. */
  async add(log: RealmLog, news: HeardNews) {
    const runs = this.waiting.get(log)
    if (runs) runs.push(news)
    else {
      this.waiting.set(log, [news])
      await log.take(() => this.pass(log))
    }
  }

  private pass(log: RealmLog): LogNews[] {
    const runs = this.waiting.get(log) ?? []
    this.waiting.delete(log)
    const texts = runs.map((news) => news.open()).filter((text) => text !== undefined)
    return texts.map((text) => JSON.parse(text) as LogNews)
  }
}
