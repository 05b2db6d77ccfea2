import { z } from 'zod'
import { boolean, integer, json, Param, text } from '../../../../http/params.ts'
import { badRequest } from '../../../../lib/api-error.ts'
import type { UserSettings } from '../../../kernel/users/settings.ts'
import { settingLimits } from './limits.ts'
import {
  emojisetChoices,
  isLanguage,
  isTimeZone,
  languageParam,
  notificationSounds,
  timeZonePattern,
} from './setting-choices.ts'

/** The values of `notification_sound`; `none` means silence. */
const knownSounds = [...notificationSounds, 'none']

/** The settings that an organization can choose for its new users. */
export const defaultSettingParams = {
  twenty_four_hour_time: boolean().optional(),
  web_mark_read_on_scroll_policy: choice(1, 2, 3).optional(),
  web_channel_default_view: choice(1, 2, 3, 4).optional(),
  starred_message_counts: boolean().optional(),
  receives_typing_notifications: boolean().optional(),
  web_suggest_update_timezone: boolean().optional(),
  fluid_layout_width: boolean().optional(),
  high_contrast_mode: boolean().optional(),
  web_font_size_px: size().optional(),
  web_line_height_percent: size().optional(),
  color_scheme: choice(1, 2, 3).optional(),
  enable_drafts_synchronization: boolean().optional(),
  translate_emoticons: boolean().optional(),
  display_emoji_reaction_users: boolean().optional(),
  web_home_view: word('inbox', 'recent_topics', 'all_messages').optional(),
  web_escape_navigates_to_home_view: boolean().optional(),
  left_side_userlist: boolean().optional(),
  emojiset: word(...emojisetChoices.map(({ key }) => key)).optional(),
  demote_inactive_streams: choice(1, 2, 3).optional(),
  user_list_style: choice(1, 2, 3).optional(),
  web_animate_image_previews: text({ oneOf: ['always', 'on_hover', 'never'] }).optional(),
  web_stream_unreads_count_display_policy: choice(1, 2, 3).optional(),
  hide_ai_features: boolean().optional(),
  enable_stream_desktop_notifications: boolean().optional(),
  enable_stream_email_notifications: boolean().optional(),
  enable_stream_push_notifications: boolean().optional(),
  enable_stream_audible_notifications: boolean().optional(),
  notification_sound: text().documentedAs({ enum: knownSounds }).optional(),
  enable_desktop_notifications: boolean().optional(),
  enable_sounds: boolean().optional(),
  email_notifications_batching_period_seconds: integer()
    .documentedAs({ minimum: 1, maximum: settingLimits.mailBatchingSeconds })
    .optional(),
  enable_offline_email_notifications: boolean().optional(),
  enable_offline_push_notifications: boolean().optional(),
  enable_online_push_notifications: boolean().optional(),
  enable_followed_topic_desktop_notifications: boolean().optional(),
  enable_followed_topic_email_notifications: boolean().optional(),
  enable_followed_topic_push_notifications: boolean().optional(),
  enable_followed_topic_audible_notifications: boolean().optional(),
  enable_digest_emails: boolean().optional(),
  message_content_in_email_notifications: boolean().optional(),
  pm_content_in_desktop_notifications: boolean().optional(),
  wildcard_mentions_notify: boolean().optional(),
  enable_followed_topic_wildcard_mentions_notify: boolean().optional(),
  desktop_icon_count_display: choice(1, 2, 3, 4).optional(),
  realm_name_in_email_notifications_policy: choice(1, 2, 3).optional(),
  automatically_follow_topics_policy: choice(1, 2, 3, 4).optional(),
  automatically_unmute_topics_in_muted_streams_policy: choice(1, 2, 3, 4).optional(),
  automatically_follow_topics_where_mentioned: boolean().optional(),
  resolved_topic_notice_auto_read_policy: text({ oneOf: ['always', 'except_followed', 'never'] }).optional(),
  presence_enabled: boolean().optional(),
  enter_sends: boolean().optional(),
  send_private_typing_notifications: boolean().optional(),
  send_stream_typing_notifications: boolean().optional(),
  send_read_receipts: boolean().optional(),
  email_address_visibility: choice(1, 2, 3, 4, 5).optional(),
  web_navigate_to_sent_message: boolean().optional(),
  web_left_sidebar_unreads_count_summary: boolean().optional(),
}

/** Every personal setting, and the time zone. */
export const settingParams = {
  ...defaultSettingParams,
  default_language: languageParam().optional(),
  enable_marketing_emails: boolean().optional(),
  enable_login_emails: boolean().optional(),
  allow_private_data_export: boolean().optional(),
  timezone: timeZone().optional(),
}

/** The settings that were sent, by name. The time zone is among them. */
export type SentSettings = { [K in keyof UserSettings]?: UserSettings[K] | undefined } & {
  timezone?: string | undefined
}

/** Throws for values that have the right type but that the setting does not allow. */
export function checkSettings(sent: SentSettings) {
  const { default_language, notification_sound, email_notifications_batching_period_seconds: period } = sent
  if (default_language !== undefined && !isLanguage(default_language)) {
    throw badRequest('Invalid default_language')
  }
  if (notification_sound !== undefined && !knownSounds.includes(notification_sound)) {
    throw badRequest(`Invalid notification sound '${notification_sound}'`)
  }
  if (period !== undefined && (period <= 0 || period > settingLimits.mailBatchingSeconds)) {
    throw badRequest(`Invalid email batching period: ${period} seconds`)
  }
}

/** Returns those of an endpoint's settings that were sent. */
export function sentSettings(params: Record<string, unknown>): SentSettings {
  const entries = Object.entries(params).filter(
    ([name, value]) => name in settingParams && value !== undefined,
  )
  return Object.fromEntries(entries) as SentSettings
}

function choice(...values: number[]): Param<number> {
  return integer({ oneOf: values })
}

function size(): Param<number> {
  return json(z.int().min(1).max(settingLimits.settingPixels))
}

function word(...words: string[]): Param<string> {
  const isListed = (value: string) => words.includes(value)
  return checked(isListed, 'Not in the list of possible values').documentedAs({ enum: words })
}

function timeZone(): Param<string> {
  const description = 'The name of a time zone in the IANA database.'
  return checked(isTimeZone, 'Not a recognized time zone').documentedAs({
    description,
    pattern: timeZonePattern.source,
  })
}

function checked(isValid: (value: string) => boolean, problem: string): Param<string> {
  return new Param('form', z.string(), false, (raw, name) => {
    if (!isValid(raw)) throw badRequest(`Invalid ${name}: Value error, ${problem}`)
    return raw
  })
}
