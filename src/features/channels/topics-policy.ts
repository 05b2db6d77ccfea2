import { sql } from 'kysely'
import { z } from 'zod'
import type { AccountRow, ChannelRow } from '../../db/schema.ts'
import { isAdministrator } from '../../http/access.ts'
import { Param } from '../../http/params.ts'
import { badRequest, notPermitted } from '../../lib/api-error.ts'
import type { Change } from '../../log/change.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { mayInRealm } from '../groups/access.ts'
import { emptyTopicDisplayName } from '../realm/settings.ts'

const policies = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const
export type TopicsPolicy = (typeof policies)[number]

/** Which topics a channel takes (level 392). Some clients send the word as JSON, others as it is. */
export function topicsPolicyParam(): Param<TopicsPolicy> {
  return new Param('form', z.enum(policies), false, (raw, name) => {
    const word = raw.replace(/^"(.*)"$/, '$1')
    const policy = policies.find((known) => known === word)
    if (!policy) throw badRequest(`Invalid ${name}`)
    return policy
  })
}

/** Throws unless the user may give channels another policy than the one that they have by default, or have now. */
export function checkMaySetTopicsPolicy(realm: RealmState, me: AccountRow) {
  if (isAdministrator(me) || mayInRealm(realm, me, 'can_set_topics_policy_group')) return
  throw notPermitted()
}

/** A channel can only do without topics if no message of it has one (level 404). Throws otherwise. */
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
