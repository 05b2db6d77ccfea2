import type { ClientState } from '../../../queues/client-state.ts'

export function applyCustomProfileFields(state: ClientState, { fields }: { fields: { id: number }[] }) {
  if (state.custom_profile_fields) state.custom_profile_fields = fields
  const ids = new Set(fields.map(({ id }) => String(id)))
  for (const list of ['realm_users', 'realm_non_active_users']) {
    for (const { profile_data } of state[list] ?? []) {
      for (const id in profile_data) if (!ids.has(id)) delete profile_data[id]
    }
  }
}
