import { sql } from 'kysely'
import type { UserTopicRow } from '../../../db/schema.ts'
import { groupBy } from '../../../lib/collections/group-by.ts'
import type { Change } from '../../../log/change.ts'
import { userTopicChanged } from '../../kernel/topics/user_topic.event.ts'
import { emitMutedTopics, visibility } from '../../kernel/topics/visibility.ts'

/** Removes users' policies for a topic that has lost all its messages, and notifies the users. */
export async function forgetTopic(change: Change, channelId: number, topic: string) {
  const rows = await change.run<UserTopicRow>(sql`
    DELETE FROM user_topic WHERE realm_id = ${change.state.id} AND channel_id = ${channelId}
      AND lower(topic) = lower(${topic}::text) RETURNING *`)
  if (rows.length === 0) return
  const muters = new Set(
    rows.filter((row) => row.visibility_policy === visibility.muted).map((row) => row.user_id),
  )
  const users = rows.map((row) => row.user_id)
  await emitMutedTopics(change, users, (userId) => muters.has(userId))
  for (const [name, alike] of groupBy(rows, (row) => row.topic)) {
    const event = userTopicChanged(channelId, name, visibility.none, change.now)
    change.emit(event, { users: alike.map((row) => row.user_id) })
  }
}
