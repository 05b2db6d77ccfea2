import type { EventType } from '../../../queues/event-type.ts'
import { applyRealmUserSettingsDefaults } from './realm_user_settings_defaults.apply.ts'

type Value = string | number | boolean

type DefaultsEvent = {
  type: 'realm_user_settings_defaults'
  op: 'update'
  property: string
  value: Value
}

export function userSettingDefaultChanged(property: string, value: Value): DefaultsEvent {
  return { type: 'realm_user_settings_defaults', op: 'update', property, value }
}

declare module '../../../log/entry.ts' {
  interface Events {
    realm_user_settings_defaults: DefaultsEvent
  }
}

/** A changed default setting for new users of the organization (level 95). */
export const realmUserSettingsDefaultsEvent = {
  type: 'realm_user_settings_defaults',

  apply: applyRealmUserSettingsDefaults,
} satisfies EventType<DefaultsEvent>
