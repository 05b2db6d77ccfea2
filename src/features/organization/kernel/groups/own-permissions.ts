import type { ClientState } from '../../../../queues/client-state.ts'

type Holders = number | { direct_members: number[]; direct_subgroups: number[] }
type Group = { id: number; members: number[]; direct_subgroup_ids: number[] }

/**
 * The fields of POST /register that state the caller's own permissions, and the organization setting that each follows
 * from.
 */
const ownRights = {
  can_create_public_streams: 'realm_can_create_public_channel_group',
  can_create_private_streams: 'realm_can_create_private_channel_group',
  can_create_web_public_streams: 'realm_can_create_web_public_channel_group',
  can_invite_others_to_realm: 'realm_can_invite_users_group',
}

/**
 * Recalculates the client's own permissions from the groups and settings in its state. Must be called when any of these
 * has changed. A client that did not ask for all of them keeps its values.
 */
export function applyOwnRights(state: ClientState) {
  if (!state.realm_user_groups || !('can_create_streams' in state)) return
  for (const [right, setting] of Object.entries(ownRights)) {
    // Guests never hold any of these.
    if (setting in state) state[right] = !state.is_guest && isInSetting(state, state[setting])
  }
  state.can_create_streams = state.can_create_public_streams || state.can_create_private_streams
}

function isInSetting(state: ClientState, value: Holders): boolean {
  if (typeof value === 'number') return isInGroups(state, [value])
  return value.direct_members.includes(state.user_id) || isInGroups(state, value.direct_subgroups)
}

function isInGroups(state: ClientState, ids: number[]): boolean {
  const groups = new Map<number, Group>(state.realm_user_groups.map((group: Group) => [group.id, group]))
  const open = [...ids]
  const seen = new Set(open)
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const group = groups.get(id)
    if (group?.members.includes(state.user_id)) return true
    for (const subgroup of group?.direct_subgroup_ids ?? []) {
      if (!seen.has(subgroup)) open.push(subgroup)
      seen.add(subgroup)
    }
  }
  return false
}
