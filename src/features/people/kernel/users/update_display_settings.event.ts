import type { EventType } from '../../../../queues/event-type.ts'
import { languageName } from '../../../organization/kernel/users/setting-choices.ts'
import { applyUpdateDisplaySettings } from './update_display_settings.apply.ts'

type Value = string | number | boolean

type DisplaySettingEvent = {
  type: 'update_display_settings'
  user: string
  setting_name: string
  setting: Value
  language_name?: string
}

/** Reports a changed setting. `user` is the API's address of the user whose setting it is. */
export function displaySettingChanged(
  user: string,
  setting_name: string,
  setting: Value,
): DisplaySettingEvent {
  const language = setting_name === 'default_language' ? { language_name: languageName(String(setting)) } : {}
  return { type: 'update_display_settings', user, setting_name, setting, ...language }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    update_display_settings: DisplaySettingEvent
  }
}

/** Reports the content of `user_settings` events to clients that do not know those (since level 89). */
export const updateDisplaySettingsEvent = {
  type: 'update_display_settings',

  variant(_event, { queue }) {
    return queue.options.capabilities.user_settings_object ? null : ''
  },

  apply: applyUpdateDisplaySettings,
} satisfies EventType<DisplaySettingEvent>
