import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Connections } from '../db/database.ts'
import type { Queue, QueueOptions } from './queue.ts'

/** The durable rows of event queues. They belong to no change of an organization, so they are not in its log. */
export class QueueStore {
  private readonly connections: Connections

  constructor(connections: Connections) {
    this.connections = connections
  }

  get read() {
    return this.connections.read
  }

  async create(queue: Omit<Queue, 'id' | 'acknowledged' | 'lastPolledAt'>, client: string, now: number) {
    const created: Queue = { ...queue, id: randomUUID(), acknowledged: queue.startedAt, lastPolledAt: now }
    await this.connections.db
      .insertInto('event_queue')
      .values({
        realm_id: queue.realmId,
        id: created.id,
        user_id: queue.userId,
        client,
        options: JSON.stringify(queue.options),
        started_at_event: queue.startedAt,
        acknowledged: queue.startedAt,
        created_at: now,
        last_polled_at: now,
      })
      .execute()
    return created
  }

  /** `id` must have the form of a UUID. */
  async find(realmId: number, id: string): Promise<Queue | undefined> {
    const row = await this.connections.read
      .selectFrom('event_queue')
      .where('realm_id', '=', realmId)
      .where('id', '=', id)
      .selectAll()
      .executeTakeFirst()
    return (
      row && {
        id: row.id,
        realmId,
        userId: row.user_id,
        options: row.options as QueueOptions,
        startedAt: row.started_at_event,
        acknowledged: row.acknowledged,
        lastPolledAt: row.last_polled_at,
      }
    )
  }

  async delete(realmId: number, id: string) {
    await this.connections.db
      .deleteFrom('event_queue')
      .where('realm_id', '=', realmId)
      .where('id', '=', id)
      .execute()
  }

  /** Makes durable how far these queues have come and when they were last asked for. */
  async save(queues: Queue[]) {
    if (queues.length === 0) return
    const rows = JSON.stringify(
      queues.map(({ realmId, id, acknowledged, lastPolledAt }) => ({
        realmId,
        id,
        acknowledged,
        lastPolledAt,
      })),
    )
    await sql`UPDATE event_queue q
      SET acknowledged = greatest(q.acknowledged, x."acknowledged"),
          last_polled_at = greatest(q.last_polled_at, x."lastPolledAt")
      FROM json_to_recordset(${rows}::json)
        AS x("realmId" integer, id uuid, "acknowledged" bigint, "lastPolledAt" bigint)
      WHERE q.realm_id = x."realmId" AND q.id = x.id`.execute(this.connections.db)
  }

  /** Removes the queues that nobody has asked for since `before`, and those created before `createdBefore`. */
  async deleteIdle(before: number, createdBefore: number): Promise<{ realm_id: number; id: string }[]> {
    return this.connections.db
      .deleteFrom('event_queue')
      .where((where) =>
        where.or([where('last_polled_at', '<', before), where('created_at', '<', createdBefore)]),
      )
      .returning(['realm_id', 'id'])
      .execute()
  }
}
