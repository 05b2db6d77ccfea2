import type { ClientState, EventType } from '../../../queues/event-type.ts'
import type { FieldView } from '../../kernel/profile-fields/field-view.ts'

type ProfileFieldsEvent = { type: 'custom_profile_fields'; fields: FieldView[] }

export function profileFieldsChanged(fields: FieldView[]): ProfileFieldsEvent {
  return { type: 'custom_profile_fields', fields }
}

declare module '../../../log/entry.ts' {
  interface Events {
    custom_profile_fields: ProfileFieldsEvent
  }
}

/** The complete list of the organization's profile fields, in order. */
export const customProfileFieldsEvent = {
  type: 'custom_profile_fields',

  apply(state: ClientState, { fields }: ProfileFieldsEvent) {
    if (state.custom_profile_fields) state.custom_profile_fields = fields
    const ids = new Set(fields.map(({ id }) => String(id)))
    for (const list of ['realm_users', 'realm_non_active_users']) {
      for (const { profile_data } of state[list] ?? []) {
        for (const id in profile_data) if (!ids.has(id)) delete profile_data[id]
      }
    }
  },
} satisfies EventType<ProfileFieldsEvent>
