import { sql } from 'kysely'
import type { AccountRow, ChannelRow } from '../../../../db/schema.ts'
import { isAdministrator } from '../../../../http/access.ts'
import { text } from '../../../../http/params.ts'
import { badRequest, notPermitted } from '../../../../lib/api-error.ts'
import type { Change } from '../../../../log/change.ts'
import type { RealmState } from '../../../../log/realm-state.ts'
import { hasRealmPermission } from '../../../kernel/groups/access.ts'
import { emptyTopicDisplayName } from '../../../kernel/topics/shown-topic.ts'

const policies = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const
export type TopicsPolicy = (typeof policies)[number]

/** The policy that says which topics a channel allows (level 392). */
export const topicsPolicyParam = () => text({ oneOf: policies, quotable: true })

/** Throws unless the user may give channels this policy. Following the organization's policy needs no permission. */
export function checkMaySetTopicsPolicy(realm: RealmState, me: AccountRow, policy: TopicsPolicy) {
  if (
    policy === 'inherit' ||
    isAdministrator(me) ||
    hasRealmPermission(realm, me, 'can_set_topics_policy_group')
  )
    return
  throw notPermitted()
}

/** Throws if a channel is to have no topics but some of its messages have one (level 404). */
export async function checkOnlyEmptyTopic(change: Change, before: ChannelRow, after: ChannelRow) {
  const policy = 'empty_topic_only'
  if (after.topics_policy !== policy || before.topics_policy === policy) return
  const found = await change.run(sql`SELECT 1 FROM message
    WHERE realm_id = ${change.state.id} AND recipient_id = ${after.recipient_id} AND lower(topic) > '' LIMIT 1`)
  if (found.length === 0) return
  throw badRequest(
    `To enable this configuration, all messages in this channel must be in the ${emptyTopicDisplayName} topic. Consider renaming or deleting other topics.`,
    { empty_topic_display_name: emptyTopicDisplayName },
  )
}
