import { createUser } from '../../accounts/user-lifecycle/create-user.ts'
import { deactivateOwnUser } from '../../accounts/own-account/deactivate-own-user.ts'
import { deactivateUser } from '../../accounts/user-lifecycle/deactivate-user.ts'
import { getOwnUser } from './get-own-user.ts'
import { getUser } from './get-user.ts'
import { getUserByEmail } from './get-user-by-email.ts'
import { getUsers } from './get-users.ts'
import { reactivateUser } from '../../accounts/user-lifecycle/reactivate-user.ts'
import { realmExportConsentEvent } from '../kernel/users/realm_export_consent.event.ts'
import { realmUserEvent } from '../kernel/users/realm_user.event.ts'
import { systemBotAvatars } from '../../kernel/users/system-bot-avatars.ts'
import { updateDisplaySettingsEvent } from '../kernel/users/update_display_settings.event.ts'
import { updateGlobalNotificationsEvent } from '../kernel/users/update_global_notifications.event.ts'
import { updateDisplaySettings } from '../../accounts/own-account/update-display-settings.ts'
import { updateNotificationSettings } from '../../accounts/own-account/update-notification-settings.ts'
import { updateSettings } from '../../accounts/own-account/update-settings.ts'
import { updateUser } from './update-user.ts'
import { updateUserByEmail } from './update-user-by-email.ts'
import { userSettingsEvent } from '../kernel/users/user_settings.event.ts'

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
