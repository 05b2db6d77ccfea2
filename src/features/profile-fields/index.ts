import { createProfileField } from './create-field.ts'
import { customProfileFieldsEvent } from './custom_profile_fields.event.ts'
import { deleteProfileField } from './delete-field.ts'
import { getProfileFields } from './get-fields.ts'
import { removeOwnProfileData } from './remove-own-values.ts'
import { reorderProfileFields } from './reorder-fields.ts'
import { setOwnProfileData } from './set-own-values.ts'
import { updateProfileField } from './update-field.ts'

/** The operations of this capability. */
export const endpoints = [
  createProfileField,
  getProfileFields,
  updateProfileField,
  deleteProfileField,
  reorderProfileFields,
  setOwnProfileData,
  removeOwnProfileData,
]

/** Its types of events. */
export const eventTypes = [customProfileFieldsEvent]
