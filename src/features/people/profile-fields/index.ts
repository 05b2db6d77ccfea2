import { createProfileField } from './create-field.ts'
import { customProfileFieldsEvent } from './custom_profile_fields.event.ts'
import { deleteProfileField } from './delete-field.ts'
import { getProfileFields } from './get-fields.ts'
import { removeOwnProfileData } from './remove-own-values.ts'
import { reorderProfileFields } from './reorder-fields.ts'
import { setOwnProfileData } from './set-own-values.ts'
import { updateProfileField } from './update-field.ts'

export const endpoints = [
  createProfileField,
  getProfileFields,
  updateProfileField,
  deleteProfileField,
  reorderProfileFields,
  setOwnProfileData,
  removeOwnProfileData,
]

export const eventTypes = [customProfileFieldsEvent]

export { consequences } from './consequences.ts'
