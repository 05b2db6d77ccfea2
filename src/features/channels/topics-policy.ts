import { z } from 'zod'
import type { AccountRow } from '../../db/schema.ts'
import { isAdministrator } from '../../http/access.ts'
import { Param } from '../../http/params.ts'
import { badRequest } from '../../lib/api-error.ts'
import type { RealmState } from '../../log/realm-state.ts'
import { mayInRealm } from '../groups/access.ts'

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

/** Throws unless the user may give a channel this policy. */
export function checkTopicsPolicy(realm: RealmState, me: AccountRow, policy: TopicsPolicy) {
  if (policy === 'inherit' || isAdministrator(me) || mayInRealm(realm, me, 'can_set_topics_policy_group'))
    return
  throw badRequest('Insufficient permission')
}
