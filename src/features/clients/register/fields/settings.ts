import { newUserSettings, type UserSettings, userSettings } from '../../../kernel/users/settings.ts'
import { emojisetChoices, notificationSounds } from '../../../organization/kernel/users/setting-choices.ts'
import {
  legacyDisplaySettings,
  legacyNotificationSettings,
} from '../../../people/kernel/users/legacy-settings.ts'
import type { RegisterFields, Registration, Section } from '../section.ts'

const choices = { emojiset_choices: emojisetChoices, available_notification_sounds: notificationSounds }

export const settingsSections: Section[] = [
  {
    asked: ['user_settings'],
    fields: ({ me }) => ({
      user_settings: { ...userSettings(me), ...choices, timezone: me.timezone },
    }),
  },
  {
    asked: ['realm_user_settings_defaults'],
    fields: ({ realm }) => ({ realm_user_settings_defaults: { ...newUserSettings(realm), ...choices } }),
  },
  {
    asked: ['update_display_settings'],
    fields: (registration) =>
      legacy(registration, legacyDisplaySettings, {
        emojiset_choices: emojisetChoices,
        timezone: registration.me.timezone,
      }),
  },
  {
    asked: ['update_global_notifications'],
    fields: (registration) =>
      legacy(registration, legacyNotificationSettings, { available_notification_sounds: notificationSounds }),
  },
]

function legacy(
  { me, capabilities }: Registration,
  names: readonly (keyof UserSettings)[],
  further: RegisterFields,
): RegisterFields {
  if (capabilities.user_settings_object) return {}
  const settings = userSettings(me)
  return { ...Object.fromEntries(names.map((name) => [name, settings[name]])), ...further }
}
