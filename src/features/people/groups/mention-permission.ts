import type { AccountRow } from '../../../db/schema.ts'
import { badRequest } from '../../../lib/api-error.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { mayInGroup } from './group-access.ts'

/** Throws unless the user may mention all these groups with a notification to their members. */
export function checkMayMentionGroups(realm: RealmState, me: AccountRow, groupIds: number[]) {
  for (const id of groupIds) {
    const group = realm.groups.get(id)
    if (group && !mayInGroup(realm, me, group, 'can_mention_group')) {
      throw badRequest(`You are not allowed to mention user group '${group.name}'.`)
    }
  }
}
