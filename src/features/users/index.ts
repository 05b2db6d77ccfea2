import { createUser } from './create-user.ts'
import { deactivateOwnUser } from './deactivate-own-user.ts'
import { deactivateUser } from './deactivate-user.ts'
import { getOwnUser } from './get-own-user.ts'
import { getUser } from './get-user.ts'
import { getUserByEmail } from './get-user-by-email.ts'
import { getUsers } from './get-users.ts'
import { reactivateUser } from './reactivate-user.ts'
import { realmExportConsentEvent } from './realm_export_consent.event.ts'
import { realmUserEvent } from './realm_user.event.ts'
import { systemBotAvatars } from './system-bot-avatars.ts'
import { updateDisplaySettingsEvent } from './update_display_settings.event.ts'
import { updateGlobalNotificationsEvent } from './update_global_notifications.event.ts'
import { updateDisplaySettings } from './update-display-settings.ts'
import { updateNotificationSettings } from './update-notification-settings.ts'
import { updateSettings } from './update-settings.ts'
import { updateUser } from './update-user.ts'
import { updateUserByEmail } from './update-user-by-email.ts'
import { userSettingsEvent } from './user_settings.event.ts'

export const endpoints = [
  createUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  getUsers,
  updateUser,
  updateUserByEmail,
  updateSettings,
  updateDisplaySettings,
  updateNotificationSettings,
  deactivateUser,
  deactivateOwnUser,
  reactivateUser,
]

export const eventTypes = [
  realmUserEvent,
  userSettingsEvent,
  updateDisplaySettingsEvent,
  updateGlobalNotificationsEvent,
  realmExportConsentEvent,
]

export const documents = systemBotAvatars

export { consequences } from './consequences.ts'
