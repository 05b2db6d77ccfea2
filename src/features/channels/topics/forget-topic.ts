import { sql } from 'kysely'
import type { UserTopicRow } from '../../../db/schema.ts'
import { groupBy } from '../../../lib/group-by.ts'
import type { Change } from '../../../log/change.ts'
import { mutedTopicsChanged } from '../../kernel/topics/muted_topics.event.ts'
import { userTopicChanged } from '../../kernel/topics/user_topic.event.ts'
import { mutedTopicsQuery, mutedTopicsView, visibility } from '../../kernel/topics/visibility.ts'

/** Removes users' policies for a topic that has lost all its messages, and notifies the users. */
export async function forgetTopic(change: Change, channelId: number, topic: string) {
  const rows = await change.run<UserTopicRow>(sql`
    DELETE FROM user_topic WHERE realm_id = ${change.state.id} AND channel_id = ${channelId}
      AND lower(topic) = lower(${topic}::text) RETURNING *`)
  if (rows.length === 0) return
  const left = await change.run(
    mutedTopicsQuery(
      change.state,
      rows.map((row) => row.user_id),
    ),
  )
  const muted = groupBy(left, (row) => row.user_id)
  for (const row of rows) {
    const users = [row.user_id]
    const list = mutedTopicsView(
      change.state,
      change.state.users.require(row.user_id),
      muted.get(row.user_id) ?? [],
    )
    change.emit(mutedTopicsChanged(list), { users })
    change.emit(userTopicChanged(channelId, row.topic, visibility.none, change.now), { users })
  }
}
