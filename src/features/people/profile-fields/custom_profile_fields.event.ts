import type { EventType } from '../../../queues/event-type.ts'
import type { FieldView } from '../../kernel/profile-fields/field-view.ts'
import { applyCustomProfileFields } from './custom_profile_fields.apply.ts'

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

  apply: applyCustomProfileFields,
} satisfies EventType<ProfileFieldsEvent>
