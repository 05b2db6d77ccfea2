import type { ClientState, EventType } from '../../../queues/event-type.ts'
import { applyOwnRights } from '../../organization/kernel/groups/own-permissions.ts'
import type { GroupView } from './group-view.ts'

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

/** Returns the same event only for clients that know of deactivated groups, or only for the others. */
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

  apply(state: ClientState, event: UserGroupEvent) {
    if (!state.realm_user_groups) return
    if (event.op === 'add') state.realm_user_groups.push(event.group)
    else if (event.op === 'remove') {
      const isOther = (group: GroupView) => group.id !== event.group_id
      state.realm_user_groups = state.realm_user_groups.filter(isOther)
    } else applyToGroup(state, event)
    applyOwnRights(state)
  },
} satisfies EventType<UserGroupEvent>

function applyToGroup(state: ClientState, event: Update | Members | Subgroups) {
  const group = state.realm_user_groups.find((one: GroupView) => one.id === event.group_id)
  if (!group) return
  switch (event.op) {
    case 'update':
      return void Object.assign(group, event.data)
    case 'add_members':
      group.members = [...without(group.members, event.user_ids), ...event.user_ids]
      return
    case 'remove_members':
      group.members = without(group.members, event.user_ids)
      return
    case 'add_subgroups':
      group.direct_subgroup_ids = [...group.direct_subgroup_ids, ...event.direct_subgroup_ids]
      return
    default:
      group.direct_subgroup_ids = without(group.direct_subgroup_ids, event.direct_subgroup_ids)
  }
}

function without(ids: number[], gone: number[]) {
  return ids.filter((id) => !gone.includes(id))
}
