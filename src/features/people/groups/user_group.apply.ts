import { without } from '../../../lib/collections/without.ts'
import type { ClientState } from '../../../queues/client-state.ts'
import { applyOwnRights } from '../../organization/kernel/groups/own-permissions.ts'

type Group = { id: number }
type Change = { group_id: number } & (
  | { op: 'update'; data: object }
  | { op: 'add_members' | 'remove_members'; user_ids: number[] }
  | { op: 'add_subgroups' | 'remove_subgroups'; direct_subgroup_ids: number[] }
)
type GroupEvent = { op: 'add'; group: Group } | { op: 'remove'; group_id: number } | Change

export function applyUserGroup(state: ClientState, event: GroupEvent) {
  if (!state.realm_user_groups) return
  if (event.op === 'add') state.realm_user_groups.push(event.group)
  else if (event.op === 'remove') {
    const isOther = (group: Group) => group.id !== event.group_id
    state.realm_user_groups = state.realm_user_groups.filter(isOther)
  } else applyToGroup(state, event)
  applyOwnRights(state)
}

function applyToGroup(state: ClientState, event: Change) {
  const group = state.realm_user_groups.find((one: Group) => one.id === event.group_id)
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
