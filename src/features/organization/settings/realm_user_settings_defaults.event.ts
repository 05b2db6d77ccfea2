import type { ClientState, EventType } from '../../../queues/event-type.ts'

type Value = string | number | boolean
type DefaultsEvent = { type: 'realm_user_settings_defaults'; op: 'update'; property: string; value: Value }

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

  apply(state: ClientState, { property, value }: DefaultsEvent) {
    if (state.realm_user_settings_defaults) state.realm_user_settings_defaults[property] = value
  },
} satisfies EventType<DefaultsEvent>
