import type { EventType } from '../../../../queues/event-type.ts'
import { applyUpdateGlobalNotifications } from './update_global_notifications.apply.ts'

type Value = string | number | boolean

type NotificationSettingEvent = {
  type: 'update_global_notifications'
  user: string
  notification_name: string
  setting: Value
}

/** Reports a changed setting. `user` is the API's address of the user whose setting it is. */
export function notificationSettingChanged(
  user: string,
  notification_name: string,
  setting: Value,
): NotificationSettingEvent {
  return { type: 'update_global_notifications', user, notification_name, setting }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    update_global_notifications: NotificationSettingEvent
  }
}

/** Reports the content of `user_settings` events to clients that do not know those (since level 89). */
export const updateGlobalNotificationsEvent = {
  type: 'update_global_notifications',

  variant(_event, { queue }) {
    return queue.options.capabilities.user_settings_object ? null : ''
  },

  apply: applyUpdateGlobalNotifications,
} satisfies EventType<NotificationSettingEvent>
