import type { UserSettings } from '../../../kernel/users/settings.ts'

// Clients without the capability user_settings_object (level 89) find these settings at the top level of the response
// to POST /register, and receive their changes in separate events.

export const legacyDisplaySettings = [
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

export const legacyNotificationSettings = [
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

/** Returns the kind of event in which such a client receives a setting; undefined if it does not know the setting. */
export function legacyKind(name: string): 'display' | 'notification' | undefined {
  if (name === 'timezone' || legacyDisplaySettings.some((known) => known === name)) return 'display'
  return legacyNotificationSettings.some((known) => known === name) ? 'notification' : undefined
}
