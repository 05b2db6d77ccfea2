import { deactivateOwnUser } from './deactivate-own-user.ts'
import { updateDisplaySettings } from './update-display-settings.ts'
import { updateNotificationSettings } from './update-notification-settings.ts'
import { updateSettings } from './update-settings.ts'

export const endpoints = [
  deactivateOwnUser,
  updateDisplaySettings,
  updateNotificationSettings,
  updateSettings,
]
