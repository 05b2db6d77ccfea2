import type { ClientState, EventType } from '../../../../queues/event-type.ts'

type Value = string | number | boolean
type NotificationSettingEvent = {
  type: 'update_global_notifications'
  user: string
  notification_name: string
  setting: Value
}

/** `user`: the address by which the API knows whose setting it is. */
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

/** What `user_settings` events tell since level 89, for clients that do not know those. */
export const updateGlobalNotificationsEvent = {
  type: 'update_global_notifications',

  variant(_event, { queue }) {
    return queue.options.capabilities.user_settings_object ? null : ''
  },

  apply(state: ClientState, { notification_name, setting }: NotificationSettingEvent) {
    if (notification_name in state) state[notification_name] = setting
  },
} satisfies EventType<NotificationSettingEvent>
