import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { EventQueueRow } from '../db/schema.ts'
import { Shared } from '../lib/async/shared.ts'
import { LogClosed } from '../log/head.ts'
import type { RealmDatabase } from '../log/realm-database.ts'
import type { Queue, QueueOptions } from './queue.ts'

type NewQueue = Pick<Queue, 'realmId' | 'userId' | 'options' | 'epoch' | 'startedAt'>

/** The stored rows of an organization's event queues. They are not part of its state, so they are written outside of its log. */
export class QueueStore {
  private readonly realmId: number
  private readonly database: RealmDatabase
  /** The ids that the next look-up reads. */
  private wanted = new Set<string>()
  private readonly lookUp = new Shared(() => this.readWanted())

  constructor(realmId: number, database: RealmDatabase) {
    this.realmId = realmId
    this.database = database
  }

  get read() {
    return this.database.read
  }

  async create(queue: NewQueue, client: string, now: number): Promise<Queue> {
    const { realmId, startedAt } = queue
    const created = {
      ...queue,
      id: randomUUID(),
      acknowledged: startedAt,
      reached: startedAt,
      createdAt: now,
      lastPolledAt: now,
    }
    const row = {
      realm_id: realmId,
      id: created.id,
      user_id: queue.userId,
      client,
      options: JSON.stringify(queue.options),
      epoch: queue.epoch,
      started_at_event: startedAt,
      acknowledged: startedAt,
      reached: startedAt,
      created_at: now,
      last_polled_at: now,
    }
    await this.database.whereOpen(async () => {
      const { db, read } = this.database.connections
      await db
        .insertInto('event_queue')
        .values(row)
        .onConflict((one) => one.doNothing())
        .execute()
      if (!this.database.canMove) return
      // A move that closes the log later finds the row; one that did so before may have missed it.
      const closed = read.selectFrom('moved_head').where('realm_id', '=', realmId).select('realm_id')
      if (await closed.executeTakeFirst()) throw new LogClosed(`realm ${realmId} is being moved`)
    })
    return created
  }

  /**
   * `id` must have the form of a UUID in lower case. Queues that are asked for at the same time are read together: after a restart,
   * thousands of clients return at the same moment.
   */
  async find(id: string): Promise<Queue | undefined> {
    this.wanted.add(id)
    return (await this.lookUp.run()).get(id)
  }

  private async readWanted(): Promise<Map<string, Queue>> {
    const ids = [...this.wanted]
    this.wanted = new Set()
    const rows = await this.read
      .selectFrom('event_queue')
      .where('realm_id', '=', this.realmId)
      .where(sql<boolean>`id = ANY(${ids}::uuid[])`)
      .selectAll()
      .execute()
    return new Map(rows.map((row) => [row.id, queueOf(row)]))
  }

  /** Returns when each queue of a user was last polled, at any node. */
  async lastPolls(userId: number): Promise<Map<string, number>> {
    const rows = await this.database.read
      .selectFrom('event_queue')
      .where('realm_id', '=', this.realmId)
      .where('user_id', '=', userId)
      .select(['id', 'last_polled_at'])
      .execute()
    return new Map(rows.map(({ id, last_polled_at }) => [id, last_polled_at]))
  }

  async delete(id: string) {
    await this.database.db
      .deleteFrom('event_queue')
      .where('realm_id', '=', this.realmId)
      .where('id', '=', id)
      .execute()
  }
}

function queueOf(row: EventQueueRow): Queue {
  return {
    id: row.id,
    realmId: row.realm_id,
    userId: row.user_id,
    options: row.options as QueueOptions,
    epoch: row.epoch,
    createdAt: row.created_at,
    startedAt: row.started_at_event,
    acknowledged: row.acknowledged,
    reached: row.reached,
    lastPolledAt: row.last_polled_at,
  }
}

/**
 * Saves the positions and last polls of these queues of one database; returns the queues that no longer exist. A poll that is
 * later than `now` was recorded before the clock was set back.
 */
export async function saveQueues(db: Db, queues: Queue[], now: number): Promise<Queue[]> {
  const rows = JSON.stringify(
    queues.map(({ realmId, id, acknowledged, reached, lastPolledAt }) => ({
      realmId,
      id,
      acknowledged,
      reached,
      lastPolledAt,
    })),
  )
  const saved = await sql<{ realm_id: number; id: string }>`UPDATE event_queue q
    SET acknowledged = greatest(q.acknowledged, x."acknowledged"), reached = greatest(q.reached, x."reached"),
        last_polled_at = greatest(least(q.last_polled_at, ${now}::bigint), x."lastPolledAt")
    FROM json_to_recordset(${rows}::json)
      AS x("realmId" integer, id uuid, "acknowledged" bigint, "reached" bigint, "lastPolledAt" bigint)
    WHERE q.realm_id = x."realmId" AND q.id = x.id RETURNING q.realm_id, q.id`.execute(db)
  const there = new Set(saved.rows.map(({ realm_id, id }) => `${realm_id} ${id}`))
  return queues.filter(({ realmId, id }) => !there.has(`${realmId} ${id}`))
}

/** Removes the queues of a database that were not polled for this time, and those of earlier epochs. */
export async function deleteIdleQueues(
  db: Db,
  now: number,
  idleSeconds: number,
): Promise<{ realm_id: number; id: string }[]> {
  const isIdle = sql`(q.last_polled_at < ${now - idleSeconds} OR q.last_polled_at > ${strayedFrom(now, idleSeconds)})`
  const { rows } = await sql<{ realm_id: number; id: string }>`DELETE FROM event_queue q USING realm_head h
    WHERE h.realm_id = q.realm_id AND (${isIdle} OR q.epoch <> h.epoch)
    RETURNING q.realm_id, q.id`.execute(db)
  return rows
}

/**
 * Returns the time from which a last poll must be one of a clock that was ahead. The queue has not been polled since it was set
 * back, or the poll would have a new time. Clocks of nodes that differ for other reasons do not differ by a day.
 */
export function strayedFrom(now: number, idleSeconds: number): number {
  return now + idleSeconds + 86_400
}
