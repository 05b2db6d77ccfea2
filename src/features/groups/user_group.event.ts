import type { ClientState, EventType } from '../../queues/event-type.ts'
import { applyOwnRights } from './own-permissions.ts'

type Members = {
  type: 'user_group'
  op: 'add_members' | 'remove_members'
  group_id: number
  user_ids: number[]
}

export type UserGroupEvent = Members

export function membersAdded(groupId: number, userIds: number[]): Members {
  return { type: 'user_group', op: 'add_members', group_id: groupId, user_ids: userIds }
}

export function membersRemoved(groupId: number, userIds: number[]): Members {
  return { type: 'user_group', op: 'remove_members', group_id: groupId, user_ids: userIds }
}

export const userGroupEvent = {
  type: 'user_group',

  apply(state: ClientState, event: UserGroupEvent) {
    for (const group of state.realm_user_groups ?? []) {
      if (group.id !== event.group_id) continue
      const others = group.members.filter((id: number) => !event.user_ids.includes(id))
      group.members = event.op === 'add_members' ? [...others, ...event.user_ids] : others
    }
    if (event.user_ids.includes(state.user_id)) applyOwnRights(state)
  },
} satisfies EventType<UserGroupEvent>
