import type { ClientState } from '../../../../queues/client-state.ts'
import { applyOwnRights } from '../groups/own-permissions.ts'
import { legacyPolicies } from './legacy-policies.ts'

type OrganizationEvent =
  | { op: 'update'; property: string; value: unknown }
  | { op: 'update_dict'; data: Record<string, unknown> }
  | { op: 'deactivated' }

export function applyRealm(state: ClientState, event: OrganizationEvent) {
  if (event.op === 'deactivated') return
  const data = event.op === 'update' ? { [event.property]: event.value } : event.data
  for (const [name, value] of Object.entries(data)) {
    if (`realm_${name}` in state) state[`realm_${name}`] = value
  }
  if (data.presence_disabled === true) forgetPresences(state)
  if (!('realm_name' in state)) return
  const methods = state.realm_authentication_methods
  state.realm_email_auth_enabled = methods.Email.enabled
  state.realm_password_auth_enabled = methods.Email.enabled || (methods.LDAP?.enabled ?? false)
  state.realm_allow_edit_history = state.realm_message_edit_history_visibility_policy !== 'none'
  state.jitsi_server_url = state.realm_jitsi_server_url ?? state.server_jitsi_server_url
  applyPermissions(state)
}

/** No user is shown as present any more. If presence is turned on again, a client asks for that of all users. */
function forgetPresences(state: ClientState) {
  if (state.presences) state.presences = {}
  if (state.presence_last_update_id !== undefined) state.presence_last_update_id = -1
}

function applyPermissions(state: ClientState) {
  if (!state.realm_user_groups) return
  const names = new Map<unknown, string>(
    state.realm_user_groups.map((group: { id: number; name: string }) => [group.id, group.name]),
  )
  Object.assign(
    state,
    legacyPolicies((permission) => names.get(state[`realm_${permission}`])),
  )
  applyOwnRights(state)
}
