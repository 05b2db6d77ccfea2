import type { GroupSetting } from '../../../../db/values.ts'
import type { ClientState } from '../../../../queues/event-type.ts'

type Group = { id: number; members: number[]; direct_subgroup_ids: number[] }

/** What POST /register says of the caller's own rights, and the setting of the organization that each follows from. */
const ownRights = {
  can_create_public_streams: 'realm_can_create_public_channel_group',
  can_create_private_streams: 'realm_can_create_private_channel_group',
  can_create_web_public_streams: 'realm_can_create_web_public_channel_group',
  can_invite_others_to_realm: 'realm_can_invite_users_group',
}

/**
 * Works out a client's own rights anew, in its state, from the groups and settings there. To be called when any of
 * them has changed. A client that did not ask for them all keeps what it has.
 */
export function applyOwnRights(state: ClientState) {
  if (!state.realm_user_groups || !('can_create_streams' in state)) return
  for (const [right, setting] of Object.entries(ownRights)) {
    // None of these is ever given to guests.
    if (setting in state) state[right] = !state.is_guest && isInSetting(state, state[setting])
  }
  state.can_create_streams = state.can_create_public_streams || state.can_create_private_streams
}

function isInSetting(state: ClientState, value: GroupSetting): boolean {
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
