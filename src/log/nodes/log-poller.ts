import type { Connections } from '../../db/database.ts'
import type { Databases } from '../../db/databases.ts'
import { type Repeated, repeatEvery } from '../../lib/async/repeat-every.ts'
import { groupBy } from '../../lib/collections/group-by.ts'
import { ignore } from '../../lib/guard.ts'
import { readHeads } from '../head.ts'
import type { RealmLog } from '../realm-log.ts'
import { NoSuchRealm } from '../realm-places.ts'

/** How often a node checks by itself whether a log has grown, in case a notification was lost. */
const slowPollSeconds = 2

/** Regularly checks the logs in memory: one may have grown, been moved or deleted, or have gone back in time. */
export class LogPoller {
  private readonly databases: Databases
  private readonly logs: () => RealmLog[]
  private readonly forget: (realmId: number) => void
  private readonly report: (error: unknown) => void
  private readonly repeated: Repeated
  /** Further databases that are being checked. */
  private readonly beingChecked = new Set<Connections>()
  /** When this node last knew that it had read everything, in milliseconds of performance.now(). */
  private currentAt = performance.now()

  /**
   * `forget` is called with an organization that was deleted, `report` with the reason why a database could not be
   * checked.
   */
  constructor(
    databases: Databases,
    logs: () => RealmLog[],
    forget: (realmId: number) => void,
    report: (error: unknown) => void = ignore,
  ) {
    this.databases = databases
    this.logs = logs
    this.forget = forget
    this.report = report
    this.repeated = repeatEvery(slowPollSeconds, () => this.checkAll())
  }

  /** For how many seconds this node may have missed what others have written in the main database. Normally at most two. */
  get secondsBehind(): number {
    return (performance.now() - this.currentAt) / 1000
  }

  close(): Promise<void> {
    return this.repeated.close()
  }

  private async checkAll() {
    const since = performance.now()
    const groups = byDatabase(this.logs())
    const { main } = this.databases
    for (const [connections, logs] of groups)
      if (connections !== main) void this.checkBeside(connections, logs)
    let isCurrent = true
    const missed = () => {
      isCurrent = false
    }
    await this.check(main, groups.get(main) ?? [], missed).catch((error) => {
      missed()
      this.report(error)
    })
    if (isCurrent) this.currentAt = since
  }

  /**
   * Checks a further database, unless a check of it is running. One that hangs does not affect the organizations of the
   * others.
   */
  private async checkBeside(connections: Connections, logs: RealmLog[]) {
    if (this.beingChecked.has(connections)) return
    this.beingChecked.add(connections)
    await this.check(connections, logs, ignore).catch(this.report)
    this.beingChecked.delete(connections)
  }

  /** A log may also have gone back: then it ends before this node's position, or differently. */
  private async check(connections: Connections, logs: RealmLog[], missed: () => void) {
    if (logs.length === 0) return
    const heads = await readHeads(connections.read, logs)
    for (const log of logs) {
      const head = heads.get(log.state.id)
      // Moved organizations are looked up without delaying the others.
      if (!head) void this.findMoved(log)
      else if (!log.isAt(head)) await log.catchUp().catch(missed)
    }
  }

  /** Continues with an organization in its new database, or forgets it if it was deleted. */
  private async findMoved(log: RealmLog) {
    const error = await log.catchUp().catch((error: unknown) => error)
    if (error instanceof NoSuchRealm) this.forget(log.state.id)
  }
}

export function byDatabase(logs: RealmLog[]): Map<Connections, RealmLog[]> {
  return groupBy(logs, (log) => log.database.connections)
}
