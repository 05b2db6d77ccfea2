import { realmEvent } from '../kernel/settings/realm.event.ts'
import { deactivateRealm } from './deactivate-realm.ts'
import { realmUserSettingsDefaultsEvent } from './realm_user_settings_defaults.event.ts'
import { updateRealm } from './update-realm.ts'
import { updateUserSettingsDefaults } from './update-user-settings-defaults.ts'

export const endpoints = [updateUserSettingsDefaults, updateRealm, deactivateRealm]

export const eventTypes = [realmUserSettingsDefaultsEvent, realmEvent]
