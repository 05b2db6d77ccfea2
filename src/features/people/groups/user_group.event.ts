import type { EventType } from '../../../queues/event-type.ts'
import type { GroupView } from './group-view.ts'
import { applyUserGroup } from './user_group.apply.ts'

/** Clients without the capability include_deactivated_groups do not know of deactivated groups. */
type For = {
  /** Restricts the event to clients that have that capability (true) or that lack it (false). */
  knows_deactivated?: boolean
}

type Add = { type: 'user_group'; op: 'add'; group: GroupView } & For

type Remove = { type: 'user_group'; op: 'remove'; group_id: number } & For

type Update = { type: 'user_group'; op: 'update'; group_id: number; data: GroupData } & For

type GroupData = Partial<Omit<GroupView, 'id' | 'members' | 'direct_subgroup_ids'>>

type Members = {
  type: 'user_group'
  op: 'add_members' | 'remove_members'
  group_id: number
  user_ids: number[]
} & For

type Subgroups = {
  type: 'user_group'
  op: 'add_subgroups' | 'remove_subgroups'
  group_id: number
  direct_subgroup_ids: number[]
} & For

export type UserGroupEvent = Add | Remove | Update | Members | Subgroups

export function groupAdded(group: GroupView): Add {
  return { type: 'user_group', op: 'add', group }
}

export function groupRemoved(groupId: number): Remove {
  return { type: 'user_group', op: 'remove', group_id: groupId }
}

export function groupUpdated(groupId: number, data: GroupData): Update {
  return { type: 'user_group', op: 'update', group_id: groupId, data }
}

export function membersAdded(groupId: number, userIds: number[]): Members {
  return { type: 'user_group', op: 'add_members', group_id: groupId, user_ids: userIds }
}

export function membersRemoved(groupId: number, userIds: number[]): Members {
  return { type: 'user_group', op: 'remove_members', group_id: groupId, user_ids: userIds }
}

export function subgroupsAdded(groupId: number, ids: number[]): Subgroups {
  return { type: 'user_group', op: 'add_subgroups', group_id: groupId, direct_subgroup_ids: ids }
}

export function subgroupsRemoved(groupId: number, ids: number[]): Subgroups {
  return { type: 'user_group', op: 'remove_subgroups', group_id: groupId, direct_subgroup_ids: ids }
}

/** Returns the event for clients that know of deactivated groups only, or for the others only. */
export function ifKnowsDeactivated<E extends UserGroupEvent>(event: E, knows: boolean): E {
  return { ...event, knows_deactivated: knows }
}

declare module '../../../log/entry.ts' {
  interface Events {
    user_group: UserGroupEvent
  }
}

export const userGroupEvent = {
  type: 'user_group',

  variant({ knows_deactivated: wanted }, { queue }) {
    const knows = queue.options.capabilities.include_deactivated_groups
    return wanted === undefined || wanted === knows ? '' : null
  },

  wire(event) {
    return { ...event, knows_deactivated: undefined }
  },

  apply: applyUserGroup,
} satisfies EventType<UserGroupEvent>
