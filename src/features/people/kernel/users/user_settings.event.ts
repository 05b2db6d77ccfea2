import type { EventType } from '../../../../queues/event-type.ts'
import { languageName } from '../../../organization/kernel/users/setting-choices.ts'
import { applyUserSettings } from './user_settings.apply.ts'

type Value = string | number | boolean

type UserSettingsEvent = {
  type: 'user_settings'
  op: 'update'
  property: string
  value: Value
  language_name?: string
}

export function settingChanged(property: string, value: Value): UserSettingsEvent {
  const language = property === 'default_language' ? { language_name: languageName(String(value)) } : {}
  return { type: 'user_settings', op: 'update', property, value, ...language }
}

declare module '../../../../log/entry.ts' {
  interface Events {
    user_settings: UserSettingsEvent
  }
}

/** A setting of the current user. */
export const userSettingsEvent = {
  type: 'user_settings',

  apply: applyUserSettings,
} satisfies EventType<UserSettingsEvent>
