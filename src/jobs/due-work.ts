import { sql } from 'kysely'
import type { Connections } from '../db/database.ts'
import { groupBy } from '../lib/collections/group-by.ts'
import type { Realms } from '../log/realms.ts'
import { Attention } from './attention.ts'
import { bringBack } from './far-dates.ts'
import type { JobHandler } from './job.ts'
import { jobLimits } from './limits.ts'

/** When the next job of an organization is ready, and the database that has it. */
type Due = { at: number; database: Connections }

/**
 * Knows when the next job of each organization is ready. A database that does not respond does not delay the others.
 */
export class DueWork {
  private readonly realms: Realms
  private readonly clock: () => number
  private readonly handlers: JobHandler[]
  private readonly report: (error: unknown) => void
  private readonly start: () => Promise<void>
  private readonly attention: Attention
  /** The next job of each organization, if it is ready soon. */
  private readonly due = new Map<number, Due>()
  /** The queries that are running, by database. */
  private readonly looks = new Map<Connections, Promise<void>>()
  /** When this node last looked for dates that no right clock has set, by database. */
  private readonly broughtBackAt = new Map<Connections, number>()

  /** `kinds`: the kinds of jobs that this node does. `start` is called when a query of a further database may have found work. */
  constructor(
    realms: Realms,
    clock: () => number,
    handlers: JobHandler[],
    report: (error: unknown) => void,
    start: () => Promise<void>,
  ) {
    this.realms = realms
    this.clock = clock
    this.handlers = handlers
    this.report = report
    this.start = start
    this.attention = new Attention(realms, clock)
  }

  /**
   * Checks the organizations with activity or with work soon, and regularly all of them. Waits for the main database
   * only.
   */
  async look() {
    const { main, all } = this.realms.databases
    const isMany = this.due.size > jobLimits.organizationsNear
    const near = isMany ? [...this.withWork().values()].flat() : this.due.keys()
    for (const id of near) this.attention.note(id)
    const ids = this.attention.take()
    if (ids?.length === 0) return
    for (const database of all) this.begin(database, ids)
    await this.looks.get(main)
  }

  /** Makes the next check cover all organizations. */
  lookAtAll() {
    this.attention.noteAll()
  }

  /** Resolves when no query is running. */
  async settled() {
    await Promise.all(this.looks.values())
  }

  /** Returns the ids of the organizations in which a job is due, by database. */
  withWork(): Map<Connections, number[]> {
    const now = this.clock()
    const ready = [...this.due].filter(([, { at }]) => at <= now)
    const groups = groupBy(ready, ([, { database }]) => database)
    return new Map([...groups].map(([database, group]) => [database, group.map(([id]) => id)]))
  }

  /** Forgets the work of a database that does not respond, until it has been queried again. */
  forget(database: Connections) {
    for (const [id, due] of this.due) if (due.database === database) this.due.delete(id)
    this.attention.noteAll()
  }

  /** Queries a database. If that fails, or a query of it is running, it is queried again later. */
  private begin(database: Connections, ids: number[] | undefined) {
    const again = () => this.attention.noteAll()
    const earlier = this.looks.get(database)
    if (earlier) return void earlier.then(again)
    const look = this.read(database, ids)
      .then(() => (database === this.realms.databases.main ? undefined : this.start()))
      .catch((error) => {
        again()
        this.report(error)
      })
      .finally(() => this.looks.delete(database))
    this.looks.set(database, look)
  }

  private async read(database: Connections, ids: number[] | undefined) {
    await this.bringBack(database)
    const noted = ids && new Set(ids)
    const kinds = this.handlers.map(({ kind }) => kind)
    const soon = this.clock() + jobLimits.allSeconds
    const among = ids ? sql`AND j.realm_id = ANY(${ids}::integer[])` : sql``
    const query = sql<{ id: number; at: number }>`
      SELECT j.realm_id AS id, min(greatest(j.due_at, j.leased_until)) AS at
      FROM job j JOIN realm r ON r.id = j.realm_id JOIN realm_head h ON h.realm_id = r.id
      WHERE NOT r.is_deactivated AND j.kind = ANY(${kinds}::text[]) AND ${isReady(soon)} ${among}
      GROUP BY j.realm_id`
    const { rows } = await query.execute(database.db)
    for (const [id, due] of this.due) {
      if (due.database === database && (!noted || noted.has(id))) this.due.delete(id)
    }
    for (const { id, at } of rows) this.due.set(id, { at, database })
  }

  /** Does so when this node starts, when its clock has been set back, and regularly, as another's may have been. */
  private async bringBack(database: Connections) {
    const now = this.clock()
    const age = now - (this.broughtBackAt.get(database) ?? Number.NEGATIVE_INFINITY)
    if (age >= 0 && age < jobLimits.strayedLookSeconds) return
    await bringBack(database.db, this.handlers, now)
    this.broughtBackAt.set(database, now)
  }
}

/** The SQL condition that a job (j) can be started. The indexes job_ready and job_ready_of_kind are made for it. */
export function isReady(now: number) {
  return sql`j.parked_at IS NULL AND greatest(j.due_at, j.leased_until) <= ${now}`
}
