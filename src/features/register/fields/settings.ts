import { newUserSettings, type UserSettings, userSettings } from '../../users/settings.ts'
import type { Fields, Registration, Section } from '../section.ts'

/** What clients offer for the setting emojiset. */
const emojisetChoices = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
  { key: 'google-blob', text: 'Google blobs' },
]

/** The sounds that clients have. */
const notificationSounds = [
  ...['ascend', 'beep_boop', 'bink', 'bright', 'brlip', 'chime', 'deep tom', 'ding', 'double tap', 'down'],
  ...[
    'dry bongos',
    'dutdut',
    'fast ascend',
    'flute',
    'friendly',
    'kick roll',
    'loud tintong',
    'metallic snare',
  ],
  ...[
    'pan',
    'shaker',
    'simple',
    'stairs',
    'subtle',
    'swish',
    'tintong',
    'up',
    'wood block',
    'zaping',
    'zing',
    'zulip',
  ],
]

const choices = { emojiset_choices: emojisetChoices, available_notification_sounds: notificationSounds }

// Clients without the capability user_settings_object (level 89) find some settings at the top of the answer.
const legacyDisplaySettings = [
  'color_scheme',
  'default_language',
  'web_home_view',
  'demote_inactive_streams',
  'emojiset',
  'enable_drafts_synchronization',
  'enter_sends',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'starred_message_counts',
  'translate_emoticons',
  'twenty_four_hour_time',
] as const satisfies (keyof UserSettings)[]

const legacyNotificationSettings = [
  'desktop_icon_count_display',
  'email_notifications_batching_period_seconds',
  'enable_desktop_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_sounds',
  'enable_stream_audible_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'message_content_in_email_notifications',
  'notification_sound',
  'pm_content_in_desktop_notifications',
  'presence_enabled',
  'realm_name_in_email_notifications_policy',
  'wildcard_mentions_notify',
] as const satisfies (keyof UserSettings)[]

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
  further: Fields,
): Fields {
  if (capabilities.user_settings_object) return {}
  const settings = userSettings(me)
  return { ...Object.fromEntries(names.map((name) => [name, settings[name]])), ...further }
}
