import type { Consequence } from '../../../log/consequences.ts'
import { fieldViews } from '../../kernel/profile-fields/field-view.ts'
import { profileFieldsChanged } from './custom_profile_fields.event.ts'

export const consequences: Consequence[] = [
  {
    of: ['profile_field'],
    emit({ change, after }) {
      change.emit(profileFieldsChanged(fieldViews(after.profileFields.values())), { everyone: true })
    },
  },
]
