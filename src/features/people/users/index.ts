import { systemBotAvatars } from '../../kernel/users/system-bot-avatars.ts'
import { realmExportConsentEvent } from '../kernel/users/realm_export_consent.event.ts'
import { realmUserEvent } from '../kernel/users/realm_user.event.ts'
import { updateDisplaySettingsEvent } from '../kernel/users/update_display_settings.event.ts'
import { updateGlobalNotificationsEvent } from '../kernel/users/update_global_notifications.event.ts'
import { userSettingsEvent } from '../kernel/users/user_settings.event.ts'
import { getOwnUser } from './get-own-user.ts'
import { getUser } from './get-user.ts'
import { getUserByEmail } from './get-user-by-email.ts'
import { getUsers } from './get-users.ts'
import { updateUser } from './update-user.ts'
import { updateUserByEmail } from './update-user-by-email.ts'

export const endpoints = [getOwnUser, getUser, getUserByEmail, getUsers, updateUser, updateUserByEmail]

export const eventTypes = [
  realmUserEvent,
  userSettingsEvent,
  updateDisplaySettingsEvent,
  updateGlobalNotificationsEvent,
  realmExportConsentEvent,
]

export const documents = systemBotAvatars

export { consequences } from './consequences.ts'
