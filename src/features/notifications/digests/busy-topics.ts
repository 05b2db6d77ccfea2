import { sql } from 'kysely'
import type { Reader } from '../../../db/database.ts'
import { chunksOf } from '../../../lib/collections/chunks-of.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { allBots } from '../../kernel/users/bots.ts'
import { digestLimits } from './limits.ts'
import type { WeekView } from './week-views.ts'

/** A topic of a view. `topic`: its name in lower case; `first`, `newest`: ids of messages that users wrote in it. */
export type BusyTopic = {
  channelId: number
  recipient: number
  topic: string
  messages: number
  first: number[]
  newest: number
}

type Counted = { number: number } & Omit<BusyTopic, 'channelId' | 'recipient'>

/**
 * The topics with the most messages, for each view of a channel. Messages of bots do not count. Each view is counted
 * once.
 */
export class BusyTopics {
  private readonly read: Reader
  private readonly realm: RealmState
  private readonly topics = new Map<string, BusyTopic[]>()

  constructor(read: Reader, realm: RealmState) {
    this.read = read
    this.realm = realm
  }

  /** Counts the messages of these views. Call it before `of`. */
  async count(views: WeekView[]) {
    if (this.topics.size > digestLimits.digestChannelsKept) this.topics.clear()
    const missing = [...new Map(views.map((view) => [view.key, view])).values()].filter(
      ({ key }) => !this.topics.has(key),
    )
    for (const part of chunksOf(missing, digestLimits.digestCountedChannels)) await this.countSome(part)
  }

  /** Returns the topics of these views, those with the most messages first. */
  of(views: WeekView[]): BusyTopic[] {
    return views
      .flatMap(({ key }) => this.topics.get(key) ?? [])
      .sort((a, b) => b.messages - a.messages || b.newest - a.newest)
  }

  private async countSome(views: WeekView[]) {
    const asked = views.map(({ recipient, since, muted }, number) => ({ number, recipient, since, muted }))
    const bots = allBots(this.realm).map(({ id }) => id)
    const rows = await this.read.rows<Counted>(sql`
      SELECT v.number, t.* FROM json_to_recordset(${JSON.stringify(asked)}::json)
        AS v(number integer, recipient integer, since bigint, muted integer[])
      CROSS JOIN LATERAL (
        SELECT lower(m.topic) AS topic, count(*) AS messages, max(m.id) AS newest,
          to_json((array_agg(m.id ORDER BY m.id))[1:${sql.lit(digestLimits.digestMessages)}]) AS first
        FROM message m
        WHERE m.realm_id = ${this.realm.id} AND m.recipient_id = v.recipient AND m.id >= v.since
          AND m.sender_id <> ALL(${bots}::integer[]) AND m.sender_id <> ALL(v.muted)
        GROUP BY lower(m.topic) ORDER BY messages DESC, newest DESC
        LIMIT ${digestLimits.digestTopicsOfChannel}) AS t
      ORDER BY v.number, t.messages DESC, t.newest DESC`)
    for (const { key } of views) this.topics.set(key, [])
    for (const { number, ...topic } of rows) {
      const { key, channelId, recipient } = views[number]!
      this.topics.get(key)!.push({ channelId, recipient, ...topic })
    }
  }
}
